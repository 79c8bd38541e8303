package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.delivery.MessageControl;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.work.signal.HeardSignals;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Checks messages that are paused while they are sent, by an admin or because of a refusal that a wrong setting caused.
 */
class PausedMessageTests {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void aPausedMessageHandsNobodyOverUntilItIsResumed() {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> {
            if (once.getAndSet(false)) {
                world.process.control.pause(ref, Reason.NONE);
            }
        });

        for (int turn = 0; turn < 30; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
        assertThat(world.transport.handOvers()).isOne();
        assertThat(world.find(ref).paused()).isTrue();

        world.process.control.resume(ref);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 20));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    /** All lots in flight get the same refusal. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aPauseIsTakenDownOnceForEachReason(CapturedOutput log) {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);

        world.process.control.pause(ref, Reason.ofText("401 key"));
        world.process.control.pause(ref, Reason.ofText("401 key"));
        assertThat(log).containsOnlyOnce("message " + ref + " is paused: 401 key");

        world.process.control.pause(ref, Reason.ofText("403 sender"));
        assertThat(log).containsOnlyOnce("message " + ref + " is paused: 403 sender");
        assertThat(world.find(ref).state().pauseReason()).isEqualTo(Reason.ofText("403 sender"));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void twoLotsThatAreRefusedAtTheSameMomentTakeThePauseDownOnce(CapturedOutput log) {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        Reason reason = Reason.ofText("401 key");
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    world.storage.hook(CallHook.NONE);
                    world.process.control.pause(ref, reason);
                }
            }
        });

        HeardSignals signals = new HeardSignals();
        MessageControl c = world.process.control;
        MessageControl second = new MessageControl(
                c.messages(), c.lists(), c.deliveries(), c.rewriter(), c.shards(), c.ranges(), signals, c.time());

        assertThat(second.pause(ref, reason)).isTrue();
        assertThat(second.pause(ref, reason)).isTrue();

        assertThat(log).containsOnlyOnce("message " + ref + " is paused: 401 key");
        assertThat(signals.woken)
                .as("the row may stand as wanted because only the answer to this write was lost")
                .containsExactly(Signals.ATTENTION);
    }

    @Test
    void a47_theBodyMayBeChangedWhilePausedAndTheRestGetsTheNewOne() {
        ListName list = world.list("contoso1", 20, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> {
            if (once.getAndSet(false)) {
                world.process.control.pause(ref, Reason.NONE);
            }
        });
        world.process.turn();
        Versioned<Message> form = world.process.messages.findActive(ref).orElseThrow();
        Messages.Change corrected = MessagesInTests.change(
                list,
                "Corrected",
                "<html><p>Better</p></html>".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                null,
                new Schedule(
                        form.value().scheduledDate(), form.value().schedule().zone()),
                OnUnknown.HOLD);

        assertThat(world.process.messages.edit(ref, form.etag(), corrected))
                .isInstanceOf(Messages.MessageEditResult.Edited.class);
        world.process.control.resume(ref);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 20));
        assertThat(world.transport.subjects()).containsExactlyInAnyOrder("News for you", "Corrected");
        assertThat(world.transport.taken().values()).containsOnly(1);
    }
}
