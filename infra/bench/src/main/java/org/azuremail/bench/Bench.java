package org.azuremail.bench;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Runs the cases that are wanted, one after the other, and appends what they measured. */
public final class Bench {

    /** In the order in which they run: lists are imported first, and what rests is watched all the time. */
    private static final IdleCase IDLE = new IdleCase();

    private static final List<BenchCase> CASES = List.of(
            new ImportCase(),
            new SendGridCase(),
            new SingleCase(),
            new ClassesCase(),
            new PagesCase(),
            new TemplatesCase(),
            new SegmentsCase(),
            new TenMillionCase(),
            new AttackCase(),
            new OutboxCase(),
            new SmtpCase(),
            new GrowthCase(),
            new SubscribeCase(),
            new SendersCase(),
            new ScaleCase(),
            new StartCase(),
            new WatchersCase(),
            IDLE);

    private Bench() {}

    /** Exits with 1 when a case failed, with 2 after wrong arguments. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("raw")) {
            Raw.run(Arrays.asList(arguments).subList(1, arguments.length));
            return;
        }
        System.exit(measure(arguments));
    }

    private static int measure(String[] arguments) {
        Options options;
        try {
            options = Options.of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(Options.USAGE);
            return 2;
        }
        Entry entry = new Entry(options, Instant.now());
        try (Lab lab = new Lab(options)) {
            if (options.wants(IDLE.number())) {
                beginToRest(lab);
            }
            for (BenchCase one : CASES) {
                if (options.wants(one.number())) {
                    run(one, lab, entry);
                }
            }
        }
        entry.write();
        return entry.hasFailed() ? 1 : 0;
    }

    /** If this fails, the other cases run all the same; the idle case's own turn reports it. */
    private static void beginToRest(Lab lab) {
        try {
            IDLE.begin(lab);
        } catch (IllegalStateException e) {
            Lab.say("case 11 cannot begin: " + e.getMessage());
        }
    }

    private static void run(BenchCase one, Lab lab, Entry entry) {
        long began = System.nanoTime();
        Lab.say("case %d, %s".formatted(one.number(), one.title()));
        try {
            one.run(lab, entry);
        } catch (Exception e) {
            e.printStackTrace();
            lab.sayWarnings();
            entry.failed(one.number(), e);
        }
        Lab.say("case %d took %.0f s".formatted(one.number(), (System.nanoTime() - began) / 1e9));
    }
}
