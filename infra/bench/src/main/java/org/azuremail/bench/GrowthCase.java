package org.azuremail.bench;

import java.util.ArrayList;
import java.util.List;

/** Case 12: the same work with more and more recipients, and with many messages behind it. */
final class GrowthCase implements BenchCase {

    private static final int BEHIND = 100;
    private static final int EACH = 10_000;
    private static final int MIDDLE = 100_000;

    @Override
    public int number() {
        return 12;
    }

    @Override
    public String title() {
        return "growth";
    }

    @Override
    public void run(Lab lab, Entry entry) throws Exception {
        HttpSink sink = lab.httpSink();
        try (Service service = Service.withSendGrid(lab, lab.directory("data/main"), sink)) {
            List<Double> medians = new ArrayList<>();
            for (int full : new int[] {EACH, MIDDLE}) {
                medians.add(measure(lab, entry, service, lab.options().scaled(full), ""));
            }
            medians.add(once(lab, entry, service, lab.options().scaled(SendGridCase.FULL)));
            sendMany(lab, service);
            String behind = ", with %d completed messages more behind it".formatted(BEHIND);
            medians.add(measure(lab, entry, service, lab.options().scaled(MIDDLE), behind));
            double apart = medians.stream().mapToDouble(rate -> rate).min().orElse(0)
                    / medians.stream().mapToDouble(rate -> rate).max().orElse(1);
            entry.add(12, "slowest to fastest of these", Spread.number(apart), "≥ 0.8");
        }
    }

    private static double measure(Lab lab, Entry entry, Service service, int readers, String note) {
        String list = Readers.list(lab, service.api(), readers);
        Spread perSecond = MailingRuns.of(lab, service, list, readers, true).perSecond();
        entry.add(12, "SendGrid, %,d recipients%s: mails/s".formatted(readers, note), perSecond, "");
        return perSecond.median();
    }

    private static double once(Lab lab, Entry entry, Service service, int readers) {
        String list = Readers.list(lab, service.api(), readers);
        Mailing mailing = Mailing.run(service, lab.tally(), list, readers, true);
        entry.add(
                12,
                "SendGrid, %,d recipients, once: mails/s".formatted(readers),
                Spread.number(mailing.perSecond()),
                "");
        return mailing.perSecond();
    }

    /** All at once; the records of each say that everybody was sent it. */
    private static void sendMany(Lab lab, Service service) {
        int readers = lab.options().scaled(EACH);
        String list = Readers.list(lab, service.api(), readers);
        List<String> messages = new ArrayList<>();
        for (int number = 1; number <= BEHIND; number++) {
            messages.add(service.api().send(list, "Number " + number, Readers.BODY));
        }
        for (String message : messages) {
            Mailing.await(service.api(), message);
        }
        Lab.say("%d messages to %,d sent".formatted(BEHIND, readers));
    }
}
