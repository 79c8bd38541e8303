package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.run.DrivenLoops;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.run.Workshop;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks when an idle consumer polls its queue, with a driven clock. */
class PollingTest {

    private static final Duration SAFETY = Duration.ofMinutes(15);
    private static final Duration HOUR = Duration.ofHours(1);

    private final Workshop shop = new Workshop();
    private final InProcessSignals signals = new InProcessSignals();
    private final MessageActivity activity = new MessageActivity(shop.time);
    private final Switches switches = new Switches(shop.storage.storage(), Signals.NONE, signals, shop.time);
    private final DrivenLoops loops = new DrivenLoops(shop.time);

    /** A service for sheets that belong to messages. */
    private static final class Mails implements QueueService<Sheet> {

        private final SheetService sheets = SheetService.thatAnswers(WorkResult.DONE);

        @Override
        public ItemType<Sheet> itemType() {
            return Sheet.TYPE;
        }

        @Override
        public WorkResult handle(Sheet sheet, Delivery delivery) throws Exception {
            return sheets.handle(sheet, delivery);
        }

        @Override
        public boolean followsMessages() {
            return true;
        }
    }

    private final Mails mails = new Mails();

    private void idleConsumer(String safetyPoll) {
        idleConsumer(Settings.safetyPoll(safetyPoll), false);
    }

    private void idleConsumer(WorkProperties settings, boolean deaf) {
        WorkerContext context =
                new WorkerContext(shop.runtime, settings, signals, activity, switches, () -> deaf, false);
        loops.add(QueueWorker.of(context, List.of(mails)).loop());
        loops.run(Duration.ofMinutes(10));
        shop.storage.resetCounters();
    }

    private long looksWithin(Duration duration) {
        long before = shop.storage.calls(Call.Kind.RECEIVE);
        loops.run(duration);
        return shop.storage.calls(Call.Kind.RECEIVE) - before;
    }

    @Test
    @DisplayName("Q-1, A57: between two safety polls no call is made")
    void q1_a57_anIdleConsumerMakesNoCallBetweenTwoSafetyPolls() {
        idleConsumer("15m");

        assertThat(looksWithin(HOUR.multipliedBy(24))).isEqualTo(96);
        assertThat(shop.storage.calls()).isEqualTo(96);
        loops.run(Duration.ofSeconds(1));
        looksWithin(SAFETY);
        assertThat(looksWithin(SAFETY.minusSeconds(1))).isLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("Q-1, Q5, A57: with never there is no call at all")
    void q1_a57_neverMeansNever() {
        idleConsumer("never");

        loops.run(Duration.ofDays(365));

        assertThat(shop.storage.calls()).isZero();
    }

    @Test
    @DisplayName("A65: a process that hears no signals looks every ten seconds, however rarely others look")
    void a65_aConsumerThatHearsNoSignalsLooksEveryTenSeconds() {
        idleConsumer(Settings.of(Map.of("azuremail.work.max-idle", "1h", "azuremail.work.safety-poll", "never")), true);

        assertThat(looksWithin(Duration.ofMinutes(10))).isEqualTo(60);
    }

    @Test
    @DisplayName("Q-2: an item with its signal is taken at once, and the signal costs a dozen looks at most")
    void q2_aSignalledItemIsTakenAtOnce() {
        idleConsumer("never");
        shop.queues.put(new Sheet("signalled"));

        signals.wakeConsumer("sheets");
        loops.run(Duration.ZERO);

        assertThat(mails.sheets.begun).containsExactly("signalled");
    }

    @Test
    @DisplayName("Q-3: a lost signal costs the safety interval at most")
    void q3_aLostSignalCostsTheSafetyIntervalAtMost() {
        idleConsumer("15m");
        shop.queues.put(new Sheet("unsignalled"));

        loops.run(SAFETY);

        assertThat(mails.sheets.begun).containsExactly("unsignalled");
    }

    @Test
    @DisplayName(
            "Q-5: the items of a dead process are found soon after its lease, without a signal, while messages are active")
    void q5_itemsOfADeadProcessAreFoundWhileMessagesAreActive() {
        idleConsumer("never");
        shop.queues.put(new Sheet("held"));
        shop.storage.queues().receive("sheets", 1, Duration.ofSeconds(60));
        signals.wakeFollowersOfMessages();
        activity.extend(Duration.ofSeconds(150));

        loops.run(Duration.ofSeconds(59));
        assertThat(mails.sheets.begun).isEmpty();
        loops.run(Duration.ofSeconds(11));

        assertThat(mails.sheets.begun).containsExactly("held");
    }

    @Test
    @DisplayName("Q-5: also without a message, while the queue was busy lately or the process has just begun")
    void q5_itemsOfADeadProcessAreFoundWhereTheQueueWasBusyLately() {
        shop.queues.put(new Sheet("held by the process before"));
        shop.storage.queues().receive("sheets", 1, Duration.ofSeconds(60));
        idleConsumer("never");
        assertThat(mails.sheets.begun).containsExactly("held by the process before");

        shop.queues.put(new Sheet("mine"));
        shop.queues.put(new Sheet("another's"));
        shop.storage.queues().receive("sheets", 1, Duration.ofSeconds(60));
        signals.wakeConsumer("sheets");
        loops.run(Duration.ofSeconds(71));

        assertThat(mails.sheets.begun).hasSize(3);
    }

    @Test
    @DisplayName("Q-5: while messages are active a consumer looks every ten seconds, and no longer")
    void q5_activityEndsByItself() {
        idleConsumer("never");
        activity.extend(Duration.ofSeconds(150));
        signals.wakeFollowersOfMessages();
        loops.run(Duration.ofSeconds(30));

        assertThat(looksWithin(Duration.ofSeconds(100))).isBetween(9L, 11L);
        loops.run(Duration.ofMinutes(1));

        assertThat(looksWithin(HOUR)).isZero();
    }

    @Test
    @DisplayName("Q-6: an outage while the signal comes does not lose the item")
    void q6_aSignalDuringAnOutageIsNotLost() {
        idleConsumer("never");
        shop.queues.put(new Sheet("in the outage"));
        AtomicInteger failures = new AtomicInteger();
        shop.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.RECEIVE && failures.incrementAndGet() <= 20) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
                }
            }
        });

        signals.wakeConsumer("sheets");
        loops.run(Duration.ofMinutes(4));

        assertThat(mails.sheets.begun).containsExactly("in the outage");
    }
}
