package org.azuremail.bench;

/** Case 3: a message through the outbox. */
final class OutboxCase implements BenchCase {

    private static final int FULL = 100_000;

    @Override
    public int number() {
        return 3;
    }

    @Override
    public String title() {
        return "outbox, embedded storage, one process";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        int readers = lab.options().scaled(FULL);
        Spread storage = SendGridCase.rawStorage(lab);
        try (Service service = Service.start(lab, lab.directory("data/main"))) {
            String list = Readers.list(lab, service.api(), readers);
            MailingRuns runs = MailingRuns.of(lab, service, list, readers, false);
            runs.report(entry, 3, "outbox, %,d recipients".formatted(readers), "≥ 10,000", "", "");
            runs.ratio(entry, 3, "storage loop (3 rows a mail)", storage, "");
        }
    }
}
