package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.RangeState;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that the lease is checked between a write of R and an email, by both clocks, counted from before that write.
 */
class LeaseGuardTests {

    /** Longer than a holder may use its own lease, but shorter than a lease. */
    private static final Duration SLOW = SimulatedWorld.SMALL.lease().minus(Duration.ofSeconds(4));

    private static final String SECOND = "v01@contoso1.test";

    private final SimulatedWorld world = new SimulatedWorld();
    private MessageRef ref;
    private int writesInHanding;

    /** The behaviour of the host's clocks until the storage's answer arrives. */
    enum Clocks {
        GO_ON {
            @Override
            void pass(SimulatedWorld world) {
                world.time.advance(SLOW);
            }
        },
        WALL_CLOCK_IS_SET_BACK {
            @Override
            void pass(SimulatedWorld world) {
                world.time.advance(SLOW);
                world.time.shiftWallClock(Duration.ofSeconds(-60));
            }
        },
        MONOTONIC_CLOCK_STANDS_STILL {
            @Override
            void pass(SimulatedWorld world) {
                world.time.shiftWallClock(SLOW);
            }
        };

        abstract void pass(SimulatedWorld world);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("I4: a lot is not handed over when its lease ended while Handing was being written")
    void i4_aLotIsNotHandedOverWhenItsLeaseEndedWhileHandingWasWritten(Clocks clocks) {
        fanOut();
        afterWritesInHanding(() -> {
            if (writesInHanding == 1) {
                clocks.pass(world);
            }
        });
        world.transport.beforeHandOver(() -> assertThat(writesInHanding)
                .as("a lot whose lease has ended is announced again")
                .isGreaterThan(1));

        world.process.drain(world.process.sender);

        assertThat(world.transport.taken()).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("I4: the next mail is not handed over when the lease ended while it was being renewed")
    void i4_aRenewalThatOutlastsItsLeaseEndsTheLot(Clocks clocks) {
        fanOut();
        world.transport.betweenMails(() -> {
            if (world.transport.handOvers() == 1) {
                world.time.advance(Duration.ofSeconds(20));
            }
        });
        afterWritesInHanding(() -> {
            if (writesInHanding == 2) {
                clocks.pass(world);
            }
        });
        world.transport.afterHandOver(() -> {
            if (world.transport.handOvers() == 1) {
                assertThat(world.transport.timesTaken(ref.toString(), SECOND))
                        .as("the mail for which the lease was renewed")
                        .isZero();
            }
        });

        world.process.drain(world.process.sender);

        assertThat(world.transport.taken()).hasSize(4);
    }

    /** Late knowledge may be recorded before any process has held the range. */
    @Test
    @DisplayName("I2: the archive is asked before the first lot of a range, too")
    void i2_theArchiveIsAskedBeforeTheFirstLotOfARange() {
        fanOut();
        ShardKey shard = new ShardKey(ref, 0);
        EmailRow row = world.process
                .deliveries
                .waitingRow(shard, Recipient.rowKey(new EmailAddress(SECOND)))
                .orElseThrow();
        world.process.archive.record(
                shard, List.of(RecordedOutcome.of(row, Outcome.SENT, "known late", world.time.instant())));

        world.process.drain(world.process.sender);

        assertThat(world.transport.timesTaken(ref.toString(), SECOND)).isZero();
        assertThat(world.transport.taken()).hasSize(3);
    }

    private void fanOut() {
        ref = world.message(world.list("contoso1", 1, 4, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
    }

    private void afterWritesInHanding(Runnable happens) {
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Kind.WRITE && call.description().contains("!range") && handing()) {
                    writesInHanding++;
                    happens.run();
                }
            }
        });
    }

    private boolean handing() {
        return world.process.deliveries.controls(new ShardKey(ref, 0)).ranges().stream()
                .anyMatch(range -> range.value().state() == RangeState.HANDING);
    }
}
