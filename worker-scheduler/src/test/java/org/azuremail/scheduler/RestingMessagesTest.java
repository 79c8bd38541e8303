package org.azuremail.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.Test;

/** Checks how often scheduled and paused messages are read while they rest, and when they continue. */
class RestingMessagesTest {

    private final SchedulerWorld world = new SchedulerWorld();

    @Test
    void aScheduledMessageThatRestedIsTakenUpAtItsDate() {
        MessageRef ref = world.message(world.time.instant().plus(Duration.ofHours(3)));
        run(Duration.ofHours(3).minusMinutes(1));
        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.PENDING);
        world.time.advance(Duration.ofMinutes(1));

        world.due.run();

        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.QUEUING);
    }

    @Test
    void aScheduledMessageThatWasPausedIsTakenUpWhenItIsResumed() {
        MessageRef ref = world.message(world.time.instant().plus(Duration.ofHours(3)));
        world.control.pause(ref, Reason.NONE);
        run(Duration.ofHours(30));
        world.control.resume(ref);

        world.due.run();

        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.QUEUING);
    }

    @Test
    void aMessageThatStaysPausedIsLookedAtEverMoreRarely() {
        world.subscribers(30);
        MessageRef ref = paused();

        List<Integer> looks = new ArrayList<>();
        for (int minute = 0; minute <= 240; minute++) {
            if (looksAtParts()) {
                looks.add(minute);
            }
            world.time.advance(Duration.ofMinutes(1));
        }

        assertThat(looks).containsExactly(0, 1, 2, 3, 4, 5, 10, 20, 40, 80, 140, 200);
        assertThat(world.messages.findActive(ref)).isPresent();
    }

    @Test
    void aMessageThatWasFinishedWhilePausedIsCompleted() {
        world.subscribers(30);
        MessageRef ref = paused();
        run(Duration.ofMinutes(45));
        world.ranges(ref).forEach(range -> world.deliveries.replaceRange(range, allSent(range.value())));

        run(Duration.ofMinutes(36));

        assertThat(world.messages.find(ref).orElseThrow().status()).isEqualTo(MessageStatus.COMPLETED);
    }

    @Test
    void aPausedMessageThatGoesOnIsLookedAtAgainAtOnce() {
        world.subscribers(30);
        MessageRef ref = paused();
        run(Duration.ofHours(3));
        assertThat(looksAtParts()).isFalse();

        world.control.resume(ref);

        assertThat(looksAtParts()).isTrue();
        assertThat(world.due.active()).isTrue();
    }

    @Test
    void aResumptionThatBreaksOffIsFollowedForMinutes() {
        world.subscribers(30);
        MessageRef ref = paused();
        run(Duration.ofHours(3));
        boolean[] looked = {false};
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                boolean resumes =
                        call.kind() == Call.Kind.WRITE && !call.partition().startsWith(".");
                if (resumes && !looked[0]) {
                    looked[0] = true;
                    world.due.run();
                }
            }

            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE && !call.partition().startsWith(".")) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "the process dies", null);
                }
            }
        });
        assertThatThrownBy(() -> world.control.resume(ref)).isInstanceOf(StorageException.class);
        world.simulated.hook(CallHook.NONE);
        assertThat(looked[0]).as("a look between the index and the message").isTrue();
        world.time.advance(Duration.ofMinutes(1));

        world.due.run();

        assertThat(world.drain(MailItem.TYPE.queue())).isNotEmpty();
    }

    /** Returns a paused message. No sender has claimed its ranges, and their items are lost. */
    private MessageRef paused() {
        MessageRef ref = world.queuing();
        world.walkAllBut();
        world.due.run();
        world.control.pause(ref, Reason.NONE);
        world.drain(MailItem.TYPE.queue());
        return ref;
    }

    private void run(Duration duration) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plusMinutes(1)) {
            world.due.run();
            world.time.advance(Duration.ofMinutes(1));
        }
    }

    private static Range allSent(Range range) {
        OutcomeCounts all = new OutcomeCounts(range.span().recipients(), 0, 0, 0);
        return range.held("sender", Instant.EPOCH).counted(all).finished();
    }

    private boolean looksAtParts() {
        boolean[] looks = {false};
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                looks[0] |= call.partition().startsWith("mail.");
            }
        });
        world.due.run();
        world.simulated.hook(CallHook.NONE);
        return looks[0];
    }
}
