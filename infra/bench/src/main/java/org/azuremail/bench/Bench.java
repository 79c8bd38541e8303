package org.azuremail.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Runs the requested cases one after the other, and appends their measurements to a file. */
public final class Bench {

    private static final String USAGE = "usage: infra/bench/run [--cases 1,2] [--scale 0.1] [--runs 3] [--out FILE]";
    private static final IdleCase IDLE = new IdleCase();

    /**
     * The cases in the order in which they run. Lists are imported first, and the idle process is watched all the time.
     */
    private static final List<Case> CASES = List.of(
            new Case(6, "import", (lab, entry) -> new ImportCase(lab, entry).run()),
            new Case(1, "SendGrid, embedded storage, one process", (lab, entry) -> new TransportCases(lab, entry)
                    .sendGrid()),
            new Case(4, "one recipient a request", (lab, entry) -> new ConfirmationCases(lab, entry).alone()),
            new Case(14, "confirmations beside Low", (lab, entry) -> new ConfirmationCases(lab, entry).besideLow()),
            new Case(7, "pages", (lab, entry) -> new PagesCase(lab, entry).run()),
            new Case(18, "shared and customised pages", (lab, entry) -> new TemplatesCase(lab, entry).run()),
            new Case(15, "segments and fields", (lab, entry) -> new SegmentsCase(lab, entry).run()),
            new Case(17, "ten million people on one list", (lab, entry) -> new GrowthCases(lab, entry).tenMillion()),
            new Case(16, "pages under attack", (lab, entry) -> new AttackCase(lab, entry).run()),
            new Case(3, "outbox, embedded storage, one process", (lab, entry) -> new TransportCases(lab, entry)
                    .outbox()),
            new Case(2, "SMTP, embedded storage, one process", (lab, entry) -> new TransportCases(lab, entry).smtp()),
            new Case(12, "growth", (lab, entry) -> new GrowthCases(lab, entry).recipients()),
            new Case(5, "subscribe API, 16 clients", (lab, entry) -> new SubscribeCase(lab, entry).run()),
            new Case(8, "sender processes on Azurite", (lab, entry) -> new SenderCases(lab, entry).onAzurite()),
            new Case(9, "simulated Azure account", (lab, entry) -> new SenderCases(lab, entry).simulated()),
            new Case(10, "cold start", (lab, entry) -> new StartCase(lab, entry).run()),
            new Case(13, "idle watchers", (lab, entry) -> new WatchersCase(lab, entry).run()),
            new Case(11, "idle", IDLE::run));

    private record Case(int number, String title, Run run) {}

    private interface Run {
        /** Measures, reports, and stops every process that it started. */
        void run(Lab lab, ReportEntry entry) throws Exception;
    }

    /**
     * The options of the command line.
     *
     * @param root the checkout
     * @param cases the numbers of the cases to run; all if empty
     * @param scale the factor for the numbers of recipients, rows and requests
     * @param runs the number of counted runs after the warm-up
     * @param out the file to which the entry is appended
     */
    record Options(Path root, Set<Integer> cases, double scale, int runs, Path out) {

        /** @param arguments the arguments; the first one is the checkout */
        static Options of(String[] arguments) {
            Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
            Map<String, String> named = new HashMap<>();
            for (int i = 1; i + 1 < arguments.length; i += 2) {
                named.put(arguments[i], arguments[i + 1]);
            }
            if (arguments.length % 2 == 0
                    || !Set.of("--cases", "--scale", "--runs", "--out").containsAll(named.keySet())) {
                throw new IllegalArgumentException(USAGE);
            }
            Set<Integer> cases = new TreeSet<>();
            if (named.containsKey("--cases")) {
                Arrays.stream(named.get("--cases").split(",", -1))
                        .map(number -> Integer.valueOf(number.strip()))
                        .forEach(cases::add);
            }
            return new Options(
                    root,
                    cases,
                    Double.parseDouble(named.getOrDefault("--scale", "1")),
                    Integer.parseInt(named.getOrDefault("--runs", "3")),
                    named.containsKey("--out")
                            ? Path.of(named.get("--out")).toAbsolutePath()
                            : root.resolve("docs/benchmarks.md"));
        }

        boolean wants(int number) {
            return cases.isEmpty() || cases.contains(number);
        }
    }

    private Bench() {}

    /** Exits with 1 if a case failed, with 2 if the arguments are wrong. */
    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ENGLISH);
        if (arguments.length > 0 && arguments[0].equals("raw")) {
            RawThroughput.run(Arrays.asList(arguments).subList(1, arguments.length));
            return;
        }
        System.exit(measure(arguments));
    }

    private static int measure(String[] arguments) throws IOException {
        Options options;
        try {
            options = Options.of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(USAGE);
            return 2;
        }
        ReportEntry entry = new ReportEntry(options, Instant.now());
        try (Lab lab = new Lab(options)) {
            if (options.wants(11)) {
                startIdleCase(lab);
            }
            CASES.stream().filter(one -> options.wants(one.number())).forEach(one -> run(one, lab, entry));
        }
        entry.write();
        return entry.hasFailed() ? 1 : 0;
    }

    /** Starts the idle case. A failure does not prevent the other cases, and is reported with the case itself. */
    private static void startIdleCase(Lab lab) {
        try {
            IDLE.begin(lab);
        } catch (IllegalStateException e) {
            Lab.log("case 11 cannot begin: " + e.getMessage());
        }
    }

    private static void run(Case one, Lab lab, ReportEntry entry) {
        long began = System.nanoTime();
        Lab.log("case %d, %s".formatted(one.number(), one.title()));
        entry.begin(one.number());
        try {
            one.run().run(lab, entry);
        } catch (Exception e) {
            e.printStackTrace();
            lab.logWarnings();
            entry.failed(e);
        }
        Lab.log("case %d took %.0f s".formatted(one.number(), Lab.seconds(began)));
    }
}
