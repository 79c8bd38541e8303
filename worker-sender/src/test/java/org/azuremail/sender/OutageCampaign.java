package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;

/** One message, sent by a scheduler and two senders, none of which dies, while the storage is unreachable once. */
final class OutageCampaign {

    /** The behaviour of an unreachable storage. */
    enum Kind {
        /** Every call fails at once and has no effect. */
        REFUSES,
        /** No call is answered. Only the call during which the storage became unreachable takes effect. */
        IS_SILENT
    }

    private static final int RECIPIENTS = 14;
    private static final Duration DEADLINE_OF_A_CALL = Duration.ofSeconds(8);

    private final Random random;
    private final SimulatedWorld world = new SimulatedWorld(3);
    private final Baton baton;
    private final ListName list = world.list("reach", RECIPIENTS, 2);
    private final MessageRef ref = world.message(list, OnUnknown.HOLD);
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<String, Integer> taken = new TreeMap<>();
    private final long goneAt;
    private final Duration length;
    private final Kind kind;
    private Duration back = Duration.ZERO;
    private long calls;
    private boolean over;

    /** @param goneAt the call at which the storage becomes unreachable; 0 for never */
    OutageCampaign(long seed, long goneAt, Duration length, Kind kind) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.goneAt = goneAt;
        this.length = length;
        this.kind = kind;
        this.baton = new Baton(random, world.time, Duration.ofMinutes(40));
    }

    /** Runs to the end and checks that each recipient is Sent and was emailed once. */
    OutageCampaign run() throws Exception {
        SimulatedProcess scheduler = process();
        baton.add(
                "scheduler",
                () -> untilOver(() -> {
                    scheduler.look();
                    scheduler.drain(scheduler.fanOut);
                }));
        sender("sender1.1", process());
        SimulatedProcess twoThreads = process();
        sender("sender2.1", twoThreads);
        sender("sender2.2", twoThreads);
        baton.add("watch", this::watch);
        world.storage.hook(outage());
        baton.run();
        world.storage.hook(CallHook.NONE);
        check();
        return this;
    }

    private SimulatedProcess process() {
        OwnClock clock = OwnClock.right(world.time, baton);
        SimulatedProcess process = new SimulatedProcess(
                world.storage.storage(), clock, world.ids, Shrunk.LIMITS, new Provider(), mails -> RateLimitWait.NONE);
        processes.add(process);
        return process;
    }

    private void sender(String name, SimulatedProcess process) {
        baton.add(name, () -> untilOver(() -> process.drain(process.sender)));
    }

    /** Works like the runtime's loops: after each turn, even a failed one, the next turn begins. */
    private void untilOver(Baton.Body turn) throws Exception {
        while (!over) {
            try {
                turn.run();
            } catch (StorageException away) {
                baton.note("gives up a turn");
            }
            baton.sleep(Duration.ofMillis(random.nextInt(10_000)));
        }
    }

    private void watch() {
        while (!baton.atOnce(() -> new MessageStore(world.storage.tables()).active())
                .isEmpty()) {
            baton.sleep(Duration.ofSeconds(5));
        }
        over = true;
    }

    private CallHook outage() {
        return new CallHook() {
            @Override
            public void before(Call call) {
                baton.point(() -> call.kind() + " " + call.place() + " " + call.partition());
                if (baton.still()) {
                    return;
                }
                if (++calls == goneAt) {
                    back = world.time.elapsed().plus(length);
                    baton.note("the storage goes away");
                    if (kind == Kind.IS_SILENT) {
                        return;
                    }
                }
                if (away()) {
                    fail();
                }
            }

            @Override
            public void after(Call call) {
                if (!baton.still() && away()) {
                    fail();
                }
                baton.point(() -> "heard " + call.kind());
            }
        };
    }

    private boolean away() {
        return world.time.elapsed().compareTo(back) < 0;
    }

    private void fail() {
        if (kind == Kind.IS_SILENT) {
            baton.sleep(DEADLINE_OF_A_CALL);
        }
        throw new StorageException(Reason.TIMED_OUT, "no answer", null);
    }

    private void check() {
        for (SimulatedProcess process : processes) {
            assertThat(process.thrown).as("thrown by handlers").isEmpty();
        }
        List<String> recipients = SimulatedWorld.verified("reach", RECIPIENTS);
        world.assertAccounted(ref, recipients);
        assertThat(world.outcomes(ref))
                .allSatisfy(
                        (address, outcome) -> assertThat(outcome).as(address).isEqualTo(Outcome.SENT));
        assertThat(taken).hasSize(RECIPIENTS);
        assertThat(taken.values()).as("times taken").containsOnly(1);
        assertThat(world.messageRows()).as("rows left over").isEmpty();
        assertThat(world.deadLetters()).isEmpty();
    }

    long calls() {
        return calls;
    }

    String trace() {
        return baton.trace();
    }

    /** Accepts emails one by one and lets time pass during each. */
    private final class Provider implements MailTransport {

        @Override
        public String name() {
            return "steady";
        }

        @Override
        public int lotSize() {
            return 3;
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            List<Answer> answers = new ArrayList<>();
            for (Mail mail : lot.mails()) {
                boolean goesOn = answers.isEmpty() || guard.mayContinue();
                answers.add(goesOn ? take(mail) : new Answer.NotAttempted());
            }
            return HandOverResult.answered(answers);
        }

        private Answer take(Mail mail) {
            baton.note("hands over to " + mail.to().address());
            taken.merge(mail.to().address().value(), 1, Integer::sum);
            baton.sleep(Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(9_000) : random.nextInt(50)));
            return new Answer.Accepted("id");
        }
    }
}
