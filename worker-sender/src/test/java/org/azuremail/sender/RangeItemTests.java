package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.RangeState;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Checks that a sender's work item is queued again as long as its range has work, and deleted otherwise. */
class RangeItemTests {

    private static final Duration LEASE = SimulatedWorld.SMALL.lease();
    private static final Duration SKEW = SimulatedWorld.SMALL.skew();

    private final SimulatedWorld world = new SimulatedWorld();
    private boolean stopping;

    @Test
    void anItemComesBackWhenAShortWaitIsOver() {
        MailItem item = item();
        away(Duration.ofSeconds(60));

        assertThat(handle(item)).isEqualTo(new WorkResult.RetryAfter(Duration.ofSeconds(60)));
        world.time.advance(Duration.ofSeconds(20));
        assertThat(handle(item)).isEqualTo(new WorkResult.RetryAfter(Duration.ofSeconds(40)));

        world.time.advance(Duration.ofSeconds(40));
        world.transport.unavailable(Optional.empty());
        assertThat(handle(item)).isEqualTo(WorkResult.DONE);
        assertThat(world.transport.handOvers()).isOne();
    }

    @Test
    void a64_theFlagOfAnItemIsTraced() {
        MailItem item = item();
        MailItem again = new MailItem(item.date(), item.ref(), item.whom(), true);
        Logger logger = (Logger) LoggerFactory.getLogger(RangeSender.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        logger.setLevel(Level.DEBUG);

        handle(item);
        handle(again);

        logger.setLevel(null);
        logger.detachAppender(heard);
        assertThat(List.copyOf(heard.list))
                .as("the lines of this test's own thread")
                .filteredOn(line ->
                        line.getThreadName().equals(Thread.currentThread().getName()))
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(first -> assertThat(first).endsWith("flag 0"), second -> assertThat(second)
                        .endsWith("flag 1"));
    }

    @Test
    void anItemOfALongWaitGoes() {
        MailItem item = item();
        away(Duration.ofMinutes(16));

        assertThat(handle(item)).isEqualTo(WorkResult.DONE);
        assertThat(handle(item)).isEqualTo(WorkResult.DONE);
        assertThat(range(item).waitsAt(world.time.instant())).isTrue();
    }

    @Test
    void oneOfTwoItemsThatWaitForMinutesGoes() {
        MailItem item = item();
        away(Duration.ofMinutes(15));

        assertThat(handle(item)).isEqualTo(new WorkResult.RetryAfter(Duration.ofMinutes(15)));
        assertThat(handle(item)).isEqualTo(WorkResult.DONE);
    }

    @Test
    void anItemWaitsForTheHoldersLeaseButNoLongerThanOne() {
        MailItem item = item();
        world.transport.beforeHandOver(() -> {
            throw new ProcessDied();
        });
        assertThatThrownBy(() -> handle(item)).isInstanceOf(ProcessDied.class);
        world.restart();

        assertThat(handle(item)).isEqualTo(new WorkResult.RetryAfter(LEASE));
        world.time.advance(Duration.ofSeconds(20));
        assertThat(handle(item))
                .isEqualTo(new WorkResult.RetryAfter(LEASE.plus(SKEW).minusSeconds(20)));
    }

    @Test
    void aRangeWhoseHolderDiedOnThisMachineIsTakenUpAtOnce() {
        MailItem item = item();
        world.transport.beforeHandOver(() -> {
            throw new ProcessDied();
        });
        assertThatThrownBy(() -> handle(item)).isInstanceOf(ProcessDied.class);
        String dead = range(item).claim().nonce();
        world.transport.beforeHandOver(() -> {});
        world.gone = nonce -> nonce.contains(".") && dead.startsWith(nonce.substring(0, nonce.indexOf('.') + 1));
        world.restart();

        assertThat(handle(item)).isEqualTo(WorkResult.DONE);
    }

    @Test
    void anItemOfARangeThatThisProcessIsAtComesBackALeaseLater() {
        MailItem item = item();
        List<WorkResult> second = new ArrayList<>();
        world.transport.beforeHandOver(() -> second.add(handle(item)));

        handle(item);

        assertThat(second).containsExactly(new WorkResult.RetryAfter(LEASE));
        assertThat(handle(item)).as("of a range that is done").isEqualTo(WorkResult.DONE);
        assertThat(world.transport.handOvers()).isOne();
    }

    /** Another process rewrites R just before the second claim, and R still names the first attempt. */
    @Test
    void aRefusedClaimIsNoneAlsoWhereAnEarlierAttemptOfThisProcessHeldTheRange() {
        MailItem item = item();
        once(Kind.QUERY, () -> {
            throw new StorageException(StorageException.Reason.UNAVAILABLE, "away", null);
        });
        assertThatThrownBy(() -> handle(item)).isInstanceOf(StorageException.class);
        Range held = range(item);
        world.time.advance(LEASE);
        once(Kind.WRITE, () -> world.process.rewriter.touchAll(world.find(item.ref())));

        assertThat(handle(item)).isEqualTo(new WorkResult.RetryAfter(LEASE));
        assertThat(world.transport.handOvers()).isZero();
        assertThat(range(item)).isEqualTo(held);
        assertThat(held.state()).isEqualTo(RangeState.CLAIMED);

        assertThat(handle(item)).as("with what stands there now").isEqualTo(WorkResult.DONE);
        assertThat(world.transport.handOvers()).isOne();
    }

    @Test
    void aProcessThatStopsClaimsNothingAndGivesTheItemBackAtOnce() {
        MailItem item = item();
        Range before = range(item);
        stopping = true;

        assertThat(handle(item)).isEqualTo(new WorkResult.RetryAfter(Duration.ZERO));

        assertThat(range(item)).isEqualTo(before);
    }

    @Test
    void anItemOfADoneRangeGoesAndOneOfNoRangeIsThrownAway() {
        MailItem item = item();
        RangeKey none = new RangeKey(item.range().shard(), 99);

        assertThat(handle(MailItem.range(item.date(), none, true))).isInstanceOf(WorkResult.Discard.class);
        world.runToEnd();
        assertThat(handle(item)).isEqualTo(WorkResult.DONE);
    }

    @Test
    void anAddressThatTheProviderRefusedIsNotMailedByAnItemOfItsOwn() {
        world.transport.answer((mail, attempt) -> new Answer.Refused("550 no such mailbox"));
        MailItem item = item();
        MessageRef ref = item.ref();
        world.runToEnd();

        WorkResult result = handle(MailItem.parse(item.date() + "," + ref + ",v00@contoso1.test,1"));

        assertThat(result).isInstanceOf(WorkResult.Discard.class);
        world.runToEnd();
        assertThat(world.transport.attempts(ref, "v00@contoso1.test")).isOne();
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.FAILED);
    }

    /** Returns the item of a message to one person. */
    private MailItem item() {
        world.message(world.list("contoso1", 1, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        return MailItem.TYPE.read(
                world.storage.queues().peek(MailItem.TYPE.queue(), 1).get(0).text());
    }

    /** Runs the action once, just before the next call of this kind. */
    private void once(Kind kind, Runnable happens) {
        AtomicBoolean still = new AtomicBoolean(true);
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == kind && still.getAndSet(false)) {
                    happens.run();
                }
            }
        });
    }

    private void away(Duration time) {
        world.transport.unavailable(
                Optional.of(new Unavailable(Unavailable.Kind.WAIT, Reason.ofText("503 try later"), time)));
    }

    private Range range(MailItem item) {
        return world.process.deliveries.range(item.range()).orElseThrow().value();
    }

    private WorkResult handle(MailItem item) {
        try {
            return world.process.sender.handle(item, new OneDelivery(stopping));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private record OneDelivery(boolean stopping) implements Delivery {
        @Override
        public String itemId() {
            return "item";
        }

        @Override
        public int dequeueCount() {
            return 1;
        }
    }
}
