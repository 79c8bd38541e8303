package org.azuremail.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Case 6: CSV files by the API, and the same file again. */
final class ImportCase implements BenchCase {

    private static final int FULL = 100_000;

    @Override
    public int number() {
        return 6;
    }

    @Override
    public String title() {
        return "import";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        try (Service service = Service.start(lab, lab.directory("data/main"))) {
            small(lab, entry, service, lab.options().scaled(FULL));
            large(lab, entry, service, lab.options().scaled(SendGridCase.FULL));
            entry.add(
                    6,
                    "peak heap after collection / peak resident, MiB",
                    service.jvm().peakHeapMib() + " / " + service.jvm().peakResidentMib(),
                    "bounded");
        }
    }

    private static void small(Lab lab, Entry entry, Service service, int rows) {
        List<Double> first = new ArrayList<>();
        List<Double> again = new ArrayList<>();
        Path file = Readers.file(lab, rows);
        for (int run = 0; run <= lab.options().runs(); run++) {
            String list = "import" + rows + "x" + run;
            service.api().makeList(list, "double");
            double fresh = rows / Readers.importFile(service.api(), list, file);
            double repeated = rows / Readers.importFile(service.api(), list, file);
            Lab.say("import of %,d: %,.0f rows/s, again %,.0f rows/s".formatted(rows, fresh, repeated));
            if (run > 0) {
                first.add(fresh);
                again.add(repeated);
            }
        }
        entry.add(6, "import of %,d rows: rows/s".formatted(rows), Spread.of(first, rate -> rate), "≥ 30,000");
        entry.add(6, "– the same file again: rows/s", Spread.of(again, rate -> rate), "no slower");
    }

    /** Once: the list is the one that messages go to. */
    private static void large(Lab lab, Entry entry, Service service, int rows) {
        double cpu = service.jvm().cpuSeconds();
        long began = System.nanoTime();
        String list = Readers.list(lab, service.api(), rows);
        double seconds = (System.nanoTime() - began) / 1e9;
        entry.add(6, "import of %,d rows, once: rows/s".formatted(rows), Spread.number(rows / seconds), "≥ 20,000");
        entry.add(6, "– CPU s per 10,000 rows", Spread.number((service.jvm().cpuSeconds() - cpu) * 10_000 / rows), "");
        double again = Readers.importFile(service.api(), list, Readers.file(lab, rows));
        entry.add(6, "– the same file again: rows/s", Spread.number(rows / again), "no slower");
    }
}
