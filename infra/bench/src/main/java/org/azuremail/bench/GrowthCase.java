package org.azuremail.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Case 12: the same work with more and more recipients, and with many messages behind it, in one process. The first message
 * of the process warms it up; each size is then counted as often as the others, by turns that begin with another one each.
 */
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
            List<Integer> sizes = IntStream.of(EACH, MIDDLE, SendGridCase.FULL)
                    .map(lab.options()::scaled)
                    .boxed()
                    .toList();
            sizes.forEach(readers -> Readers.list(lab, service.api(), readers));
            warmUp(lab, entry, service);
            Map<Integer, List<Double>> rates = new LinkedHashMap<>();
            for (int round = 0; round < lab.options().runs(); round++) {
                for (int turn = 0; turn < sizes.size(); turn++) {
                    int readers = sizes.get((round + turn) % sizes.size());
                    rates.computeIfAbsent(readers, size -> new ArrayList<>()).add(mail(lab, service, readers));
                }
            }
            List<Double> medians = new ArrayList<>();
            rates.forEach((readers, counted) -> medians.add(report(entry, readers, "", counted)));
            medians.add(withMessagesBehind(lab, entry, service));
            double apart = medians.stream().mapToDouble(rate -> rate).min().orElse(0)
                    / medians.stream().mapToDouble(rate -> rate).max().orElse(1);
            entry.add(12, "slowest to fastest of these medians", Spread.number(apart), "≥ 0.8");
        }
    }

    private static void warmUp(Lab lab, Entry entry, Service service) {
        int readers = lab.options().scaled(MIDDLE);
        double cold = mail(lab, service, readers);
        entry.add(
                12,
                "SendGrid, %,d recipients, the first message of the process: mails/s".formatted(readers),
                Spread.number(cold),
                "");
    }

    private static double withMessagesBehind(Lab lab, Entry entry, Service service) {
        sendMany(lab, service);
        int readers = lab.options().scaled(MIDDLE);
        List<Double> counted = new ArrayList<>();
        for (int run = 0; run < lab.options().runs(); run++) {
            counted.add(mail(lab, service, readers));
        }
        return report(entry, readers, ", with %d completed messages more behind it".formatted(BEHIND), counted);
    }

    private static double mail(Lab lab, Service service, int readers) {
        String list = Readers.list(lab, service.api(), readers);
        Mailing mailing = Mailing.run(service, lab.tally(), list, readers, true);
        Lab.say("to %,d: %.2f s, %,.0f mails/s, %.4f calls a mail"
                .formatted(readers, mailing.seconds(), mailing.perSecond(), mailing.callsPerMail()));
        return mailing.perSecond();
    }

    private static double report(Entry entry, int readers, String note, List<Double> counted) {
        Spread perSecond = Spread.of(counted, rate -> rate);
        entry.add(12, "SendGrid, %,d recipients%s: mails/s".formatted(readers, note), perSecond, "");
        return perSecond.median();
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
