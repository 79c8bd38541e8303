package org.azuremail.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Case 15: a million people with eight fields, three of them searchable, and a segment of three rules that every tenth of them
 * matches. What searchable fields cost an import is seen in imports with and without them, in turn.
 */
final class SegmentsCase implements BenchCase {

    private static final int FULL = 1_000_000;
    private static final int IMPORTED = 100_000;
    private static final int MATCHING = 10;
    private static final int LOOK_MILLIS = 50;

    private static final String LIST = "people";
    private static final String SEGMENT = "tenth";
    private static final List<String> PLANS = List.of("Free", "Basic", "Silver", "Gold", "Team");
    private static final List<String> LANGUAGES = List.of("en", "de", "fr");
    private static final Set<String> SEARCHABLE = Set.of("city", "birthday", "points");
    private static final Map<String, String> TYPES = Map.of(
            "city",
            "text",
            "birthday",
            "month_day",
            "points",
            "number",
            "member",
            "yes_no",
            "plan",
            "choice",
            "since",
            "date",
            "language",
            "text",
            "customer",
            "text");

    private static final Map<String, ?> RULES = Map.of(
            "rules",
            Map.of(
                    "all",
                    List.of(
                            Map.of("what", "field", "field", "member", "test", "is", "value", "yes"),
                            Map.of("what", "field", "field", "plan", "test", "is", "value", "Free"),
                            Map.of("what", "field", "field", "points", "test", "less", "value", "1000"))));

    @Override
    public int number() {
        return 15;
    }

    @Override
    public String title() {
        return "segments and fields";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        HttpSink sink = lab.httpSink();
        try (Service service = Service.withSendGrid(lab, lab.directory("data/segments"), sink)) {
            imports(lab, entry, service, lab.options().scaled(IMPORTED));
            int people = lab.options().scaled(FULL) / MATCHING * MATCHING;
            makeList(service.api(), LIST, true);
            double seconds = Readers.importFile(service.api(), LIST, file(lab, people));
            entry.add(
                    15,
                    "import of %,d with three searchable fields, once: rows/s".formatted(people),
                    Spread.number(people / seconds),
                    "");
            count(entry, service.api(), people);
            fanOuts(lab, entry, service, people);
            pages(entry, service, people);
            entry.add(
                    15,
                    "peak heap after collection / peak resident, MiB",
                    service.jvm().peakHeapMib() + " / " + service.jvm().peakResidentMib(),
                    "");
        }
    }

    private static void imports(Lab lab, Entry entry, Service service, int rows) {
        Api api = service.api();
        Path file = file(lab, rows);
        List<Double> plain = new ArrayList<>();
        List<Double> searchable = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        for (int run = 0; run <= lab.options().runs(); run++) {
            makeList(api, "plain" + run, false);
            makeList(api, "searchable" + run, true);
            double began = service.jvm().cpuSeconds();
            double without = rows / Readers.importFile(api, "plain" + run, file);
            double between = service.jvm().cpuSeconds();
            double with = rows / Readers.importFile(api, "searchable" + run, file);
            double ended = service.jvm().cpuSeconds();
            Lab.say("import of %,d: %,.0f rows/s, with searchable fields %,.0f".formatted(rows, without, with));
            if (run > 0) {
                plain.add(without);
                searchable.add(with);
                cpu.add((between - began) / (ended - between));
            }
        }
        Spread without = Spread.of(plain, rate -> rate);
        Spread with = Spread.of(searchable, rate -> rate);
        entry.add(15, "import of %,d with eight fields, none searchable: rows/s".formatted(rows), without, "");
        entry.add(15, "– three of them searchable: rows/s", with, "");
        entry.add(15, "– with to without", Spread.number(with.median() / without.median()), "≥ 0.3");
        entry.add(15, "– the same by CPU seconds", Spread.of(cpu, ratio -> ratio), "");
    }

    /** From the call that stores the segment to its first number. */
    private static void count(Entry entry, Api api, int people) {
        String path = "/api/v1/lists/" + LIST + "/segments/" + SEGMENT;
        long began = System.nanoTime();
        api.json("PUT", path, RULES, 201);
        JsonNode now = api.get(path + "/people");
        while (now.get("people").isNull()) {
            Service.sleep(LOOK_MILLIS);
            now = api.get(path + "/people");
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (now.get("people").asLong() != people / MATCHING) {
            throw new IllegalStateException("the segment has " + now + " of " + people);
        }
        entry.add(15, "first count of the segment, %,d read: s".formatted(people), Spread.number(seconds), "");
    }

    private static void fanOuts(Lab lab, Entry entry, Service service, int people) {
        Map<String, String> segment = Map.of("list", LIST, "segment", SEGMENT);
        List<Mailing> all = new ArrayList<>();
        List<Mailing> tenth = new ArrayList<>();
        for (int run = 0; run <= lab.options().runs(); run++) {
            Mailing toAll = Mailing.run(service, lab.tally(), LIST, people, true);
            Mailing toTenth = Mailing.run(service, lab.tally(), segment, people / MATCHING, MATCHING, true);
            Lab.say("fan-out to all of %,d: %.2f s, to every tenth: %.2f s"
                    .formatted(people, toAll.fanOut(), toTenth.fanOut()));
            if (run > 0) {
                all.add(toAll);
                tenth.add(toTenth);
            }
        }
        Spread rows = Spread.of(all, mailing -> people / mailing.fanOut());
        Spread rowsOfTenth = Spread.of(tenth, mailing -> people / mailing.fanOut());
        entry.add(15, "fan-out to all of %,d: rows read/s".formatted(people), rows, "");
        entry.add(15, "fan-out to the segment, %,d of them: rows read/s".formatted(people / MATCHING), rowsOfTenth, "");
        entry.add(15, "– segment to all, per row read", Spread.number(rowsOfTenth.median() / rows.median()), "≥ 0.5");
    }

    private static void pages(Entry entry, Service service, int people) throws IOException, InterruptedException {
        HttpClient admin = PagesCase.signIn(service.url());
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("birthdays", "/blocks/birthdays");
        pages.put("dashboard with birthdays", "/");
        pages.put("search by field", "/subscribers?list=" + LIST + "&field=city&q=" + PagesCase.encode("Town 12"));
        pages.put("search over all lists", "/subscribers?list=*&q=u00012");
        pages.put("segment", "/segments/" + LIST + "/" + SEGMENT);
        for (Map.Entry<String, String> page : pages.entrySet()) {
            double cpu = service.jvm().cpuSeconds();
            double[] millis = Spread.sorted(PagesCase.looks(admin, service.url() + page.getValue()));
            double each = (service.jvm().cpuSeconds() - cpu) * 1000 / PagesCase.ALL_LOOKS;
            entry.add(
                    15,
                    page.getKey() + ", %,d people: p50 / p95 / CPU of each, ms".formatted(people),
                    Spread.number(Spread.quantile(millis, 0.5)) + " / " + Spread.number(Spread.quantile(millis, 0.95))
                            + " / " + Spread.number(each),
                    "– / < 100 / –");
        }
    }

    private static void makeList(Api api, String name, boolean searchable) {
        api.makeList(name, "double");
        TYPES.forEach((field, type) -> api.json(
                "PUT",
                "/api/v1/lists/" + name + "/fields/" + field,
                Map.of(
                        "type",
                        type,
                        "options",
                        type.equals("choice") ? PLANS : List.of(),
                        "searchable",
                        searchable && SEARCHABLE.contains(field)),
                200));
    }

    private static Path file(Lab lab, int count) {
        Path file = lab.directory("data").resolve("people-" + count + ".csv");
        if (Files.exists(file)) {
            return file;
        }
        LocalDate leapYear = LocalDate.of(2000, 1, 1);
        LocalDate first = LocalDate.of(2010, 1, 1);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("email,name,city,birthday,points,member,plan,since,language,customer\n");
            for (int number = 1; number <= count; number++) {
                out.write(String.join(
                        ",",
                        Tally.reader(number),
                        "Reader " + number,
                        "Town " + number % 997,
                        leapYear.plusDays(number % 366).toString().substring(5),
                        "" + number % 1000,
                        number % 2 == 0 ? "yes" : "no",
                        PLANS.get(number % PLANS.size()),
                        first.plusDays(number % 5000).toString(),
                        LANGUAGES.get(number % LANGUAGES.size()),
                        "C-" + number));
                out.write('\n');
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
