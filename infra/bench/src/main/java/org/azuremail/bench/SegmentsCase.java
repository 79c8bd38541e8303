package org.azuremail.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Case 15: a million people with eight fields, three of them searchable, and a segment of three rules that every tenth
 * person matches. Alternating imports with and without searchable fields show the cost of these.
 */
record SegmentsCase(Lab lab, ReportEntry entry) {

    private static final int FULL = 1_000_000;
    private static final int IMPORTED = 100_000;
    private static final int MATCHING = 10;
    private static final int POLL_MILLIS = 50;

    private static final String LIST = "people";
    private static final String SEGMENT = "tenth";
    private static final List<String> PLANS = List.of("Free", "Basic", "Silver", "Gold", "Team");
    private static final List<String> LANGUAGES = List.of("en", "de", "fr");
    private static final List<Field> FIELDS = List.of(
            new Field("city", "text", true),
            new Field("birthday", "month_day", true),
            new Field("points", "number", true),
            new Field("member", "yes_no", false),
            new Field("plan", "choice", false),
            new Field("since", "date", false),
            new Field("language", "text", false),
            new Field("customer", "text", false));

    private record Field(String name, String type, boolean searchable) {}

    private static final Map<String, ?> RULES = Map.of(
            "rules",
            Map.of(
                    "all",
                    List.of(
                            Map.of("what", "field", "field", "member", "test", "is", "value", "yes"),
                            Map.of("what", "field", "field", "plan", "test", "is", "value", "Free"),
                            Map.of("what", "field", "field", "points", "test", "less", "value", "1000"))));

    void run() throws Exception {
        try (Service service = Service.withSendGrid(lab, "data/segments")) {
            imports(service, lab.scaled(IMPORTED));
            int people = lab.scaled(FULL) / MATCHING * MATCHING;
            makeList(service.api(), LIST, true);
            double seconds = RecipientLists.importFile(service.api(), LIST, file(people));
            entry.add(
                    "import of %,d with three searchable fields, once: rows/s".formatted(people), people / seconds, "");
            count(service.api(), people);
            fanOuts(service, people);
            pages(service, people);
            entry.peaks("", service.jvm(), "");
        }
    }

    /** The rows a second of both imports, and the ratio of the CPU time without searchable fields to that with them. */
    private record Import(double plain, double searchable, double cpu) {}

    private void imports(Service service, int rows) throws Exception {
        Api api = service.api();
        Path file = file(rows);
        List<Import> imports = lab.runs(run -> {
            makeList(api, "plain" + run, false);
            makeList(api, "searchable" + run, true);
            double began = service.jvm().cpuSeconds();
            double plain = rows / RecipientLists.importFile(api, "plain" + run, file);
            double between = service.jvm().cpuSeconds();
            double searchable = rows / RecipientLists.importFile(api, "searchable" + run, file);
            double ended = service.jvm().cpuSeconds();
            Lab.log("import of %,d: %,.0f rows/s, with searchable fields %,.0f".formatted(rows, plain, searchable));
            return new Import(plain, searchable, (between - began) / (ended - between));
        });
        RunStatistics without = RunStatistics.of(imports, Import::plain);
        RunStatistics with = RunStatistics.of(imports, Import::searchable);
        entry.add("import of %,d with eight fields, none searchable: rows/s".formatted(rows), without, "");
        entry.add("– three of them searchable: rows/s", with, "");
        entry.add("– with to without", with.median() / without.median(), "≥ 0.3");
        entry.add("– the same by CPU seconds", RunStatistics.of(imports, Import::cpu), "");
    }

    /** Measures the time from the call that stores the segment to its first number. */
    private void count(Api api, int people) {
        String path = "/api/v1/lists/" + LIST + "/segments/" + SEGMENT;
        long began = System.nanoTime();
        api.json("PUT", path, RULES, 201);
        JsonNode now = api.get(path + "/people");
        while (now.get("people").isNull()) {
            Service.sleep(POLL_MILLIS);
            now = api.get(path + "/people");
        }
        double seconds = Lab.seconds(began);
        if (now.get("people").asLong() != people / MATCHING) {
            throw new IllegalStateException("the segment has " + now + " of " + people);
        }
        entry.add("first count of the segment, %,d read: s".formatted(people), seconds, "");
    }

    private record FanOuts(double all, double tenth) {}

    private void fanOuts(Service service, int people) throws Exception {
        Map<String, String> segment = Map.of("list", LIST, "segment", SEGMENT);
        List<FanOuts> fanOuts = lab.runs(run -> {
            double all = Mailing.run(service, LIST, people, true).fanOut();
            double tenth = Mailing.run(service, segment, people / MATCHING, MATCHING, true)
                    .fanOut();
            Lab.log("fan-out to all of %,d: %.2f s, to every tenth: %.2f s".formatted(people, all, tenth));
            return new FanOuts(all, tenth);
        });
        RunStatistics rows = RunStatistics.of(fanOuts, seconds -> people / seconds.all());
        RunStatistics rowsOfTenth = RunStatistics.of(fanOuts, seconds -> people / seconds.tenth());
        entry.add("fan-out to all of %,d: rows read/s".formatted(people), rows, "");
        entry.add("fan-out to the segment, %,d of them: rows read/s".formatted(people / MATCHING), rowsOfTenth, "");
        entry.add("– segment to all, per row read", rowsOfTenth.median() / rows.median(), "≥ 0.5");
    }

    private void pages(Service service, int people) throws IOException, InterruptedException {
        HttpClient admin = PagesCase.signIn(service.url());
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("birthdays", "/blocks/birthdays");
        pages.put("dashboard with birthdays", "/");
        pages.put("search by field", "/subscribers?list=" + LIST + "&field=city&q=" + PagesCase.encode("Town 12"));
        pages.put("search over all lists", "/subscribers?list=*&q=u00012");
        pages.put("segment", "/segments/" + LIST + "/" + SEGMENT);
        for (Map.Entry<String, String> page : pages.entrySet()) {
            double cpu = service.jvm().cpuSeconds();
            double[] millis = RunStatistics.sorted(PagesCase.requestTimes(admin, service.url() + page.getValue()));
            double each = (service.jvm().cpuSeconds() - cpu) * 1000 / PagesCase.ALL_REQUESTS;
            entry.add(
                    page.getKey() + ", %,d people: p50 / p95 / CPU of each, ms".formatted(people),
                    RunStatistics.text(millis, 0.5, 0.95) + " / " + RunStatistics.number(each),
                    "– / < 100 / –");
        }
    }

    private static void makeList(Api api, String name, boolean searchable) {
        api.makeList(name, "double");
        for (Field field : FIELDS) {
            List<String> options = field.type().equals("choice") ? PLANS : List.of();
            boolean found = searchable && field.searchable();
            Map<String, ?> body = Map.of("type", field.type(), "options", options, "searchable", found);
            api.json("PUT", "/api/v1/lists/" + name + "/fields/" + field.name(), body, 200);
        }
    }

    private Path file(int count) {
        Path file = lab.directory("data").resolve("people-" + count + ".csv");
        LocalDate leapYear = LocalDate.of(2000, 1, 1);
        LocalDate first = LocalDate.of(2010, 1, 1);
        String columns = "email,name,city,birthday,points,member,plan,since,language,customer";
        return RecipientLists.write(
                file,
                columns,
                count,
                number -> String.join(
                        ",",
                        MailCounter.recipientAddress(number),
                        "Reader " + number,
                        "Town " + number % 997,
                        leapYear.plusDays(number % 366).toString().substring(5),
                        "" + number % 1000,
                        number % 2 == 0 ? "yes" : "no",
                        PLANS.get(number % PLANS.size()),
                        first.plusDays(number % 5000).toString(),
                        LANGUAGES.get(number % LANGUAGES.size()),
                        "C-" + number));
    }
}
