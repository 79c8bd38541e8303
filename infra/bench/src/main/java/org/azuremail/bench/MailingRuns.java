package org.azuremail.bench;

import java.util.ArrayList;
import java.util.List;

/** The runs of one message case: one to warm up, then those that count. */
record MailingRuns(List<Mailing> counted, int peakHeapMib, int peakResidentMib) {

    static MailingRuns of(Lab lab, Service service, String list, int readers, boolean sink) {
        List<Mailing> counted = new ArrayList<>();
        for (int run = 0; run <= lab.options().runs(); run++) {
            Mailing mailing = Mailing.run(service, lab.tally(), list, readers, sink);
            Lab.say("%s of %,d: %.2f s, %,.0f mails/s, %.4f calls a mail, %.2f CPU s per 10,000"
                    .formatted(
                            run == 0 ? "warm-up" : "run " + run,
                            readers,
                            mailing.seconds(),
                            mailing.perSecond(),
                            mailing.callsPerMail(),
                            mailing.cpuPer10k()));
            if (run > 0) {
                counted.add(mailing);
            }
        }
        return new MailingRuns(
                counted, service.jvm().peakHeapMib(), service.jvm().peakResidentMib());
    }

    Spread perSecond() {
        return Spread.of(counted, Mailing::perSecond);
    }

    /** All figures, under the name of what was run. */
    void report(Entry entry, int number, String name, String goal, String cpuGoal, String callsGoal) {
        entry.add(number, name + ": mails/s end to end", perSecond(), goal);
        entry.add(number, "– fan-out, s", Spread.of(counted, Mailing::fanOut), "");
        entry.add(number, "– drain after it, s", Spread.of(counted, Mailing::drain), "");
        entry.add(number, "– storage calls a mail", Spread.of(counted, Mailing::callsPerMail), callsGoal);
        entry.add(number, "– CPU s per 10,000 mails", Spread.of(counted, Mailing::cpuPer10k), cpuGoal);
        entry.add(number, "– CPU s of sink and driver per 10,000", Spread.of(counted, Mailing::sinkCpuPer10k), "");
        entry.add(
                number, "– peak heap after collection / peak resident, MiB", peakHeapMib + " / " + peakResidentMib, "");
    }

    /** The median beside a raw loop's. */
    void ratio(Entry entry, int number, String what, Spread raw, String goal) {
        entry.add(number, "– raw " + what + ": mails/s", raw, "");
        entry.add(number, "– ratio to raw " + what, Spread.number(perSecond().median() / raw.median()), goal);
    }

    /** As many raw loops as counted runs; each warms up by itself. */
    static Spread raw(Lab lab, String... arguments) throws InterruptedException {
        List<Double> runs = new ArrayList<>();
        for (int run = 0; run < lab.options().runs(); run++) {
            runs.add(lab.raw(arguments));
        }
        return Spread.of(runs, rate -> rate);
    }
}
