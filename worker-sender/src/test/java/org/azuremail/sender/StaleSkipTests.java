package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks a sender that sleeps between its claim and its next read until its lease has lapsed. While the successor's lot
 * is in flight, a recipient unsubscribes or the message is cancelled. Then the sleeper reads that and skips recipients.
 */
class StaleSkipTests {

    private static final String LEAVER = "v02@contoso1.test";

    private final SimulatedWorld world = new SimulatedWorld();
    private final CountDownLatch asleep = new CountDownLatch(1);
    private final CountDownLatch awake = new CountDownLatch(1);
    private final AtomicReference<Throwable> broken = new AtomicReference<>();

    /** The action of a person while the successor's lot is in flight. */
    enum Act {
        LEAVES,
        CANCELS
    }

    /** The end of the successor's lot. */
    enum End {
        SENDER_DIES,
        ANSWER_SAYS_NOTHING
    }

    @ParameterizedTest
    @CsvSource({
        "LEAVES, SENDER_DIES, HOLD", "LEAVES, ANSWER_SAYS_NOTHING, HOLD",
        "LEAVES, SENDER_DIES, RESEND", "LEAVES, ANSWER_SAYS_NOTHING, RESEND",
        "CANCELS, SENDER_DIES, HOLD", "CANCELS, ANSWER_SAYS_NOTHING, HOLD",
        "CANCELS, SENDER_DIES, RESEND", "CANCELS, ANSWER_SAYS_NOTHING, RESEND"
    })
    void recipientsWhoMayHaveBeenMailedAreUnknownAndNotSkipped(Act act, End end, OnUnknown onUnknown) throws Exception {
        ListName list = world.list("contoso1", 1, 4, 0);
        MessageRef ref = world.message(list, onUnknown);
        world.process.look();
        world.process.drain(world.process.fanOut);
        QueueItem item = world.storage.queues().peek(MailItem.TYPE.queue(), 1).get(0);
        Thread sleeper = sleepsAfterItsClaim(world.process, item);
        world.time.advance(Duration.ofMinutes(3));
        world.transport.answer((mail, attempt) ->
                end == End.ANSWER_SAYS_NOTHING && mail.to().address().value().equals(LEAVER)
                        ? new Answer.Unknown(Reason.ofText("the connection broke"))
                        : new Answer.Accepted("id"));
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> {
            if (once.getAndSet(false)) {
                act(act, list, ref);
                wakes(sleeper);
                if (end == End.SENDER_DIES) {
                    throw new ProcessDied();
                }
            }
        });

        SimulatedProcess successor = world.restart();
        Throwable died = catchThrowable(() -> successor.handle(successor.sender, item));
        assertThat(died != null).isEqualTo(end == End.SENDER_DIES);
        world.restart();
        world.time.advance(Duration.ofMinutes(3));
        world.runToEnd();

        assertThat(broken.get()).as("thrown by the sleeper").isNull();
        new Books(world, ref).assertBalanced();
        assertThat(world.outcomes(ref)).containsEntry(LEAVER, Outcome.UNKNOWN);
        assertThat(world.outcomes(ref).values()).as("all of them were taken").doesNotContain(Outcome.SKIPPED);
        assertThat(world.transport.timesTaken(ref.toString(), LEAVER)).isOne();
    }

    private void act(Act act, ListName list, MessageRef ref) {
        SimulatedProcess web = world.process;
        if (act == Act.LEAVES) {
            world.leave(list, LEAVER);
        } else {
            assertThat(web.control.cancel(ref)).isTrue();
        }
    }

    private Thread sleepsAfterItsClaim(SimulatedProcess process, QueueItem item) throws InterruptedException {
        Thread sleeper = new Thread(() -> broken.set(catchThrowable(() -> process.handle(process.sender, item))));
        AtomicBoolean claimed = new AtomicBoolean();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (Thread.currentThread() == sleeper && claimed.getAndSet(call.kind() == Kind.WRITE)) {
                    asleep.countDown();
                    await(awake);
                }
            }
        });
        sleeper.start();
        await(asleep);
        return sleeper;
    }

    private void wakes(Thread sleeper) {
        world.storage.hook(CallHook.NONE);
        awake.countDown();
        try {
            sleeper.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(sleeper.isAlive()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
