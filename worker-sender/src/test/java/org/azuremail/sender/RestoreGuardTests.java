package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the effect of a restored backup on one message at a time. */
class RestoreGuardTests {

    private SimulatedWorld world = new SimulatedWorld();

    @Test
    void withoutARestoreNothingIsPaused() {
        MessageRef ref = world.message(world.list("contoso1", 2, 0), OnUnknown.HOLD);

        world.process.restoreGuard(new RestoreMark(Optional.empty())).afterSingletonsInstantiated();

        assertThat(world.find(ref).paused()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void recipientsWithoutAnOutcomeAreUnknownOrMailedOnceMore(OnUnknown onUnknown) {
        MessageRef ref = world.message(world.list("contoso1", 9, 0), onUnknown);
        world.process.look();
        world.process.drain(world.process.fanOut);
        SimulatedStorage backup = world.storage.copy();
        world.runToEnd();

        restore(backup);
        world.process.control.resume(ref);
        world.runToEnd();

        world.assertAccounted(ref, SimulatedWorld.verified("contoso1", 9));
        boolean hold = onUnknown == OnUnknown.HOLD;
        assertThat(world.outcomes(ref).values()).containsOnly(hold ? Outcome.UNKNOWN : Outcome.SENT);
        assertThat(world.transport.taken().values()).containsOnly(hold ? 1 : 2);
        if (hold) {
            assertThat(world.detail(ref, "v00@contoso1.test")).contains("restored from a backup");
        }
    }

    @Test
    void numbersGivenSinceTheBackupAreNotGivenAgain() {
        ListName list = world.list("contoso1", 1, 0);
        world.message(list, OnUnknown.HOLD);
        SimulatedStorage backup = world.storage.copy();
        List<MessageRef> lost = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            lost.add(world.message(list, OnUnknown.HOLD));
        }

        restore(backup);

        for (int i = 0; i < 20; i++) {
            assertThat(lost).doesNotContain(world.message(list, OnUnknown.HOLD));
        }
    }

    @Test
    void numbersGivenAfterARestoreAreNotGivenAgainAfterAnotherRestoreOfTheSameBackup() {
        ListName list = world.list("contoso1", 1, 0);
        SimulatedStorage backup = world.storage.copy();
        Instant madeAt = world.time.instant();
        restore(backup.copy(), madeAt);
        List<MessageRef> lost = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            lost.add(world.message(list, OnUnknown.HOLD));
        }

        restore(backup, madeAt);

        for (int i = 0; i < 20; i++) {
            assertThat(lost).doesNotContain(world.message(list, OnUnknown.HOLD));
        }
    }

    @Test
    void thePersonWhoPausesMayStillChooseToMailOnceMore() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);

        restore(world.storage.copy());
        world.process.drain(world.process.sender);
        Message paused = world.find(ref);
        world.process.messageStore.replace(
                world.process.messageStore.findActive(ref).orElseThrow(),
                paused.edited(
                        paused.audience(), paused.shards(), paused.content(), paused.schedule(), OnUnknown.RESEND));
        world.process.control.resume(ref);
        world.runToEnd();

        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void aSecondDoubtIsNeverMailedAgain() {
        MessageRef ref = world.message(world.list("contoso1", 9, 0), OnUnknown.RESEND);
        world.process.look();
        world.process.drain(world.process.fanOut);
        restore(world.storage.copy());
        world.process.control.resume(ref);
        world.process.receive(world.process.sender, 1).forEach(item -> {
            world.transport.afterHandOver(() -> {
                throw new ProcessDied();
            });
            try {
                world.process.handle(world.process.sender, item);
            } catch (ProcessDied died) {
                world.transport.afterHandOver(() -> {});
            }
        });
        int inTheAir = world.transport.taken().size();

        restore(world.storage.copy());
        world.process.control.resume(ref);
        world.runToEnd();

        world.assertAccounted(ref, SimulatedWorld.verified("contoso1", 9));
        assertThat(inTheAir).isPositive();
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void recipientsOfAMessageCancelledAfterARestoreAreUnknownAndNotSkipped(OnUnknown onUnknown) {
        MessageRef ref = world.message(world.list("contoso1", 1, 12, 0), onUnknown);
        world.process.look();
        int[] writes = {0};
        SimulatedStorage[] backup = new SimulatedStorage[1];
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                boolean fansOut = call.partition().startsWith("mail.")
                        && call.description().contains("Insert email:");
                if (fansOut && ++writes[0] == 1) {
                    backup[0] = world.storage.copy();
                }
            }
        });
        world.runToEnd();
        assertThat(backup[0]).isNotNull();

        restore(backup[0]);
        world.process.control.cancel(ref);
        world.runToEnd();

        Map<String, Outcome> outcomes = world.outcomes(ref);
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.CANCELLED);
        assertThat(world.find(ref).result().recipients())
                .isEqualTo(outcomes.size())
                .isPositive();
        assertThat(outcomes.values()).containsOnly(Outcome.UNKNOWN);
    }

    @Test
    void recipientsWhoAreSentToAgainAfterwardsAreMailed() {
        MessageRef ref = world.message(world.list("contoso1", 9, 0), OnUnknown.HOLD);
        restore(world.storage.copy());
        world.process.control.resume(ref);
        world.runToEnd();
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.UNKNOWN);

        world.process.reopening.reopen(ref, Set.of(Outcome.UNKNOWN));
        world.runToEnd();

        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void aRealBackupIsPutBackAndResumedWithoutASecondMail(@TempDir Path directory) throws IOException {
        Path backup = directory.resolve("backup.db");
        Path restored = Files.createDirectories(directory.resolve("restored"));
        List<MessageRef> refs = new ArrayList<>();
        try (EmbeddedStorage embedded = EmbeddedStorage.open(directory.resolve("data"), world.time)) {
            SimulatedProcess process = on(embedded);
            world.process = process;
            ListName list = world.list("contoso1", 20, 3);
            refs.add(world.message(list, OnUnknown.HOLD));
            refs.add(world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(2))));
            process.look();
            process.drain(process.fanOut);
            process.receive(process.sender, 1).forEach(item -> process.handle(process.sender, item));
            embedded.backup(backup);
            for (int turn = 0; turn < 10; turn++) {
                process.turn();
                world.time.advance(Duration.ofSeconds(10));
            }
            assertThat(world.find(refs.get(0)).status()).isEqualTo(MessageStatus.COMPLETED);
        }
        int mailedBefore = world.transport.taken().size();
        Files.copy(backup, restored.resolve("azuremail.db"));

        try (EmbeddedStorage embedded = EmbeddedStorage.open(restored, world.time)) {
            world.process = on(embedded);
            world.process.restoreGuard(embedded.restoredBackup()).afterSingletonsInstantiated();
            assertThat(embedded.restoredBackup().madeAt()).isEmpty();
            refs.forEach(world.process.control::resume);
            world.time.advance(Duration.ofDays(2));
            world.runToEnd();

            world.assertAccounted(refs.get(0), SimulatedWorld.verified("contoso1", 20));
            assertThat(world.outcomes(refs.get(0)).values()).contains(Outcome.SENT, Outcome.UNKNOWN);
            assertThat(world.outcomes(refs.get(1)).values()).containsOnly(Outcome.SENT);
        }
        assertThat(mailedBefore).isEqualTo(20);
        assertThat(world.transport.taken()).hasSize(40);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    private SimulatedProcess on(EmbeddedStorage embedded) {
        return new SimulatedProcess(
                embedded.storage(), world.time, world.ids, SimulatedWorld.SMALL, world.transport, world.rate);
    }

    private void restore(SimulatedStorage backup) {
        restore(backup, world.time.instant());
    }

    private void restore(SimulatedStorage backup, Instant madeAt) {
        world.time.advance(Duration.ofMinutes(1));
        world = world.with(backup);
        world.process.restoreGuard(new RestoreMark(Optional.of(madeAt))).afterSingletonsInstantiated();
    }
}
