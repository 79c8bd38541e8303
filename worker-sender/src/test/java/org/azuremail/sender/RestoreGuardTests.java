package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.delivery.RestoreGuard;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.RestoredBackup;
import org.junit.jupiter.api.Test;

class RestoreGuardTests {

    private final SimulatedWorld world = new SimulatedWorld();
    private final AtomicBoolean handled = new AtomicBoolean();

    @Test
    void afterARestoreNothingGoesOutUntilAPersonSaysSo() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef underWay = world.message(list, OnUnknown.HOLD);
        MessageRef pending =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofMinutes(1)));
        world.process.look();
        world.process.drain(world.process.fanOut);

        new RestoreGuard(backupOf(Optional.of(world.time.instant())), world.process.messageStore, world.process.control)
                .afterSingletonsInstantiated();
        for (int turn = 0; turn < 20; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }

        assertThat(handled).isTrue();
        assertThat(world.transport.handOvers()).isZero();
        assertThat(world.find(underWay).pauseReason()).contains("restored from a backup");
        assertThat(world.find(pending).paused()).isTrue();
        world.process.control.resume(underWay);
        world.process.control.resume(pending);
        world.runToEnd();
        world.assertAccounted(underWay, SimulatedWorld.verified("contoso1", 9));
        world.assertAccounted(pending, SimulatedWorld.verified("contoso1", 9));
    }

    @Test
    void withoutARestoreNothingIsPaused() {
        MessageRef ref = world.message(world.list("contoso1", 2, 0), OnUnknown.HOLD);

        new RestoreGuard(backupOf(Optional.empty()), world.process.messageStore, world.process.control)
                .afterSingletonsInstantiated();

        assertThat(world.find(ref).paused()).isFalse();
        assertThat(handled).isFalse();
    }

    private RestoredBackup backupOf(Optional<Instant> madeAt) {
        return new RestoredBackup() {
            @Override
            public Optional<Instant> madeAt() {
                return madeAt;
            }

            @Override
            public void handled() {
                handled.set(true);
            }
        };
    }
}
