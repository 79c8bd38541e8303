package org.azuremail.bench;

import java.nio.file.Path;
import java.util.List;

/** Case 6: CSV files imported through the API, and the same files again. */
record ImportCase(Lab lab, ReportEntry entry) {

    private static final int FULL = 100_000;

    private record Rates(double fresh, double repeated) {}

    void run() throws Exception {
        try (Service service = Service.start(lab, "data/main")) {
            small(service, lab.scaled(FULL));
            large(service, lab.scaled(TransportCases.MILLION));
            entry.peaks("", service.jvm(), "bounded");
        }
    }

    private void small(Service service, int rows) throws Exception {
        Path file = RecipientLists.file(lab, rows);
        List<Rates> rates = lab.runs(run -> {
            String list = "import" + rows + "x" + run;
            service.api().makeList(list, "double");
            double fresh = rows / RecipientLists.importFile(service.api(), list, file);
            double repeated = rows / RecipientLists.importFile(service.api(), list, file);
            Lab.log("import of %,d: %,.0f rows/s, again %,.0f rows/s".formatted(rows, fresh, repeated));
            return new Rates(fresh, repeated);
        });
        entry.add("import of %,d rows: rows/s".formatted(rows), RunStatistics.of(rates, Rates::fresh), "≥ 30,000");
        entry.add("– the same file again: rows/s", RunStatistics.of(rates, Rates::repeated), "no slower");
    }

    /** Imports a large file once, because other cases send messages to that list. */
    private void large(Service service, int rows) {
        double cpu = service.jvm().cpuSeconds();
        long began = System.nanoTime();
        String list = RecipientLists.list(lab, service.api(), rows);
        entry.add("import of %,d rows, once: rows/s".formatted(rows), rows / Lab.seconds(began), "≥ 20,000");
        entry.add("– CPU s per 10,000 rows", (service.jvm().cpuSeconds() - cpu) * 10_000 / rows, "");
        double again = RecipientLists.importFile(service.api(), list, RecipientLists.file(lab, rows));
        entry.add("– the same file again: rows/s", rows / again, "no slower");
    }
}
