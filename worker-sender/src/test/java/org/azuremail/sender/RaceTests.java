package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks races of two processes, including those that broke earlier designs, and many workers at once. */
class RaceTests {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void aSlowSecondReaderOfTheSameItemCannotClaimWhatTheFirstHasFinished() {
        ListName list = world.list("contoso1", 4, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        QueueItem item = world.storage.queues().peek(MailItem.TYPE.queue(), 1).get(0);
        MailItem read = MailItem.TYPE.read(item.text());
        Versioned<Range> readEarly =
                world.process.deliveries.range(read.range()).orElseThrow();

        world.runToEnd();
        Optional<HeldRange> late = HeldRange.claim(world.process.context, readEarly, read.date());

        assertThat(late).isEmpty();
        world.assertAccounted(ref, verified("contoso1", 4));
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void aSlowSecondReaderCannotClaimWhatTheFirstIsSending() {
        world.message(world.list("contoso1", 4, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        QueueItem item = world.storage.queues().peek(MailItem.TYPE.queue(), 1).get(0);
        SimulatedProcess second = world.restart();
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.beforeHandOver(() -> {
            if (once.getAndSet(false)) {
                world.time.advance(Duration.ofSeconds(20));
                second.handle(second.sender, item);
            }
        });

        world.runToEnd();

        assertThat(once).isFalse();
        assertThat(world.transport.taken()).hasSize(4);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void aSchedulerPausedInFanOutAndWokenAfterCompletionWritesNothing(int freezesAtWrite) {
        ListName list = world.list("contoso1", 23, 2);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        SimulatedProcess frozen = world.process;
        SimulatedProcess other = world.restart();
        frozen.look();
        AtomicBoolean once = new AtomicBoolean(true);
        int[] writes = {0};
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                boolean fanOutWrite =
                        call.kind() == Kind.WRITE && call.partition().startsWith("mail.");
                if (fanOutWrite && ++writes[0] == freezesAtWrite && once.getAndSet(false)) {
                    world.time.advance(Duration.ofMinutes(2));
                    runToEnd(other);
                }
            }
        });

        frozen.drain(frozen.fanOut);
        world.storage.hook(CallHook.NONE);

        assertThat(once).as("the scheduler was frozen").isFalse();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.COMPLETED);
        world.assertAccounted(ref, verified("contoso1", 23));
        assertThat(world.messageRows()).isEmpty();
        world.runToEnd();
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void aSenderFrozenInHandingTurnsItsUnknownIntoSentWhenItWakes() {
        MessageRef ref = world.message(world.list("contoso1", 3, 0), OnUnknown.HOLD);
        SimulatedProcess other = world.restart();
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.beforeHandOver(() -> {
            if (once.getAndSet(false)) {
                world.time.advance(Duration.ofMinutes(3));
                runToEnd(other);
                assertThat(world.outcomes(ref)).containsValue(Outcome.UNKNOWN);
            }
        });

        SimulatedProcess frozen = world.restart();
        for (int turn = 0; turn < 10; turn++) {
            frozen.turn();
            world.time.advance(Duration.ofSeconds(10));
        }

        assertThat(once).isFalse();
        world.assertAccounted(ref, verified("contoso1", 3));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void answersOfASenderThatWakesAreCountedBeforeTheSchedulerLooks() {
        MessageRef ref = world.message(world.list("contoso1", 3, 0), OnUnknown.HOLD);
        SimulatedProcess frozen = world.process;
        SimulatedProcess other = world.restart();
        frozen.look();
        frozen.drain(frozen.fanOut);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.beforeHandOver(() -> {
            if (once.getAndSet(false)) {
                world.time.advance(Duration.ofMinutes(3));
                runToEnd(other);
                assertThat(world.find(ref).result().counts().unknown()).isPositive();
            }
        });

        frozen.drain(frozen.sender);

        assertThat(once).isFalse();
        world.assertAccounted(ref, verified("contoso1", 3));
        assertThat(world.find(ref).result().counts().sent()).isEqualTo(3);
    }

    @Test
    void e12_manyWorkersMailNobodyTwice() throws Exception {
        SimulatedWorld big = new SimulatedWorld(10);
        ListName list = big.list("crowd", 1000, 0);
        MessageRef ref = big.message(list, OnUnknown.HOLD);
        big.process.look();
        big.process.drain(big.process.fanOut);
        CountDownLatch together = new CountDownLatch(4);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<?>> workers = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            SimulatedProcess process = big.restart();
            workers.add(pool.submit(() -> {
                together.countDown();
                together.await(10, TimeUnit.SECONDS);
                process.drain(process.sender);
                return null;
            }));
        }
        for (Future<?> worker : workers) {
            worker.get(60, TimeUnit.SECONDS);
        }
        pool.shutdown();

        big.runToEnd();
        big.assertAccounted(ref, verified("crowd", 1000));
        assertThat(big.transport.taken()).hasSize(1000);
        assertThat(big.transport.taken().values()).containsOnly(1);
    }

    private void runToEnd(SimulatedProcess process) {
        for (int turn = 0; turn < 60 && !process.messageStore.active().isEmpty(); turn++) {
            process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }
}
