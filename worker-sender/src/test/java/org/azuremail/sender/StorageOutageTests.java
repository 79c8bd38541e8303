package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;

/** Checks lots that were announced when the storage became unreachable, and whose sender lives. */
class StorageOutageTests {

    private static final Duration OUTAGE = Duration.ofMinutes(2);

    private final SimulatedWorld world = new SimulatedWorld();
    private final AtomicInteger refused = new AtomicInteger();

    @Test
    void e22_aLotWhoseAnnouncementWasNotAnsweredIsHandedOverWhenTheStorageIsBack() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        goesAway(this::announcesALot);

        world.process.drain(world.process.sender);

        assertThat(refused).as("calls that were refused").hasPositiveValue();
        assertAllSentOnce(ref);
    }

    @Test
    void aRangeSaysThatItWaitsForATableThatSomebodyDeleted() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals(MessageStore.ARCHIVE)) {
                    throw new StorageException(StorageException.Reason.MISSING, "somebody deleted it", null);
                }
            }
        });

        world.process.drain(world.process.sender);

        assertThat(world.transport.taken()).isEmpty();
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .singleElement()
                .satisfies(why -> assertThat(why.is(ReasonCode.STORAGE_LACKS)).isTrue());

        world.storage.hook(CallHook.NONE);
        world.time.advance(Duration.ofMinutes(1));
        world.process.drain(world.process.sender);
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .isEmpty();
        assertAllSentOnce(ref);
    }

    @Test
    void e22_theAnswersForALotAreKeptUntilTheyCanBeWritten() {
        MessageRef ref = fannedOut(OnUnknown.RESEND);
        world.transport.answer((mail, attempt) ->
                attempt == 1 ? new Answer.RetryAfter(Duration.ofSeconds(60), "greylisted") : new Answer.Accepted("id"));
        world.transport.afterHandOver(() -> {
            if (world.transport.handOvers() == 1) {
                world.storage.hook(new Outage(world, OUTAGE, refused));
            }
        });

        world.process.drain(world.process.sender);

        assertThat(refused).as("calls that were refused").hasPositiveValue();
        assertAllSentOnce(ref);
    }

    @Test
    void e22_theRangeIsRenewedBeforeTheAnswersAreRecorded() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        List<Boolean> heldWhenRecorded = new ArrayList<>();
        world.transport.afterHandOver(() -> {
            if (world.transport.handOvers() == 1) {
                Outage outage = new Outage(world, OUTAGE, refused);
                world.storage.hook(new CallHook() {
                    @Override
                    public void before(Call call) {
                        outage.before(call);
                        if (call.kind() == Kind.WRITE && call.place().equals(MessageStore.ARCHIVE)) {
                            heldWhenRecorded.add(anyHeld(ref));
                        }
                    }
                });
            }
        });

        world.process.drain(world.process.sender);

        assertThat(heldWhenRecorded).isNotEmpty().doesNotContain(false);
        assertAllSentOnce(ref);
    }

    private boolean anyHeld(MessageRef ref) {
        world.storage.hook(CallHook.NONE);
        return Stream.of(0, 1)
                .flatMap(shard -> world.process.deliveries.controls(new ShardKey(ref, shard)).ranges().stream())
                .anyMatch(range -> range.value().heldAt(world.time.instant(), Duration.ZERO));
    }

    @Test
    void e22_aSenderThatIsStoppedMeanwhileWaitsNoLonger() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        goesAway(this::announcesALot);
        world.process.stopping = () -> refused.get() > 3;

        world.process.turn();

        assertThat(world.time.elapsed()).as("how long the stop took").isLessThan(Duration.ofSeconds(10));
        assertThat(world.transport.taken()).isEmpty();
        world.storage.hook(CallHook.NONE);
        world.restart();
        world.runToEnd();
        assertThat(world.outcomes(ref)).as("nobody is lost").hasSize(12).containsValue(Outcome.UNKNOWN);
    }

    @Test
    void e13_aLotThatOutlivesItsLeaseIsNotTakenByAnotherThreadOfItsProcess() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        QueueItem item = world.storage.queues().peek(MailItem.TYPE.queue(), 1).get(0);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.beforeHandOver(() -> {
            if (once.getAndSet(false)) {
                world.time.advance(Duration.ofSeconds(50));
                world.process.handle(world.process.sender, item);
                assertThat(world.outcomes(ref)).isEmpty();
            }
        });

        world.process.drain(world.process.sender);

        assertThat(once).isFalse();
        assertAllSentOnce(ref);
    }

    @Test
    void aLotIsLeftToAHolderThatComesBackWhileItIsWatched() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        QueueItem item = world.storage.queues().peek(MailItem.TYPE.queue(), 1).get(0);
        SimulatedProcess holder = world.process;
        SimulatedProcess other = onAnotherHost();
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.betweenMails(() -> {
            if (once.getAndSet(false)) {
                world.time.advance(Duration.ofSeconds(100));
                world.storage.hook(beforeTheSecondRead(() -> renew(holder, item)));
                other.handle(other.sender, item);
                world.storage.hook(CallHook.NONE);
            }
        });

        holder.drain(holder.sender);

        assertThat(once).isFalse();
        assertAllSentOnce(ref);
    }

    @Test
    void aLotOfADeadHolderIsDecidedWithinTwoMinutes() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        world.transport.afterHandOver(() -> {
            throw new ProcessDied();
        });
        try {
            world.process.drain(world.process.sender);
        } catch (ProcessDied died) {
            world.transport.afterHandOver(() -> {});
        }
        SimulatedProcess other = onAnotherHost();

        Duration died = world.time.elapsed();
        while (!world.outcomes(ref).containsValue(Outcome.UNKNOWN)) {
            world.time.advance(Duration.ofSeconds(5));
            other.turn();
            assertThat(world.time.elapsed().minus(died)).isLessThan(Duration.ofSeconds(120));
        }
    }

    /** Runs the action before the read that ends the watch. */
    private CallHook beforeTheSecondRead(Runnable action) {
        return new CallHook() {
            private int reads;

            @Override
            public void before(Call call) {
                if (call.kind() == Kind.GET && call.description().startsWith("!range") && ++reads == 2) {
                    world.storage.hook(CallHook.NONE);
                    action.run();
                }
            }
        };
    }

    /** Renews the lease, as each write of the holder does. */
    private void renew(SimulatedProcess holder, QueueItem item) {
        Versioned<Range> read =
                holder.deliveries.range(MailItem.TYPE.read(item.text()).range()).orElseThrow();
        assertThat(read.value().inDoubt()).isTrue();
        holder.deliveries.replaceRange(
                read, read.value().renewed(world.time.instant().plusSeconds(30)));
    }

    private SimulatedProcess onAnotherHost() {
        return new SimulatedProcess(
                world.storage.storage(),
                world.time,
                world.ids,
                Shrunk.LIMITS,
                world.transport,
                mails -> RateLimitWait.NONE);
    }

    private MessageRef fannedOut(OnUnknown onUnknown) {
        MessageRef ref = world.message(world.list("contoso1", 12, 0), onUnknown);
        world.process.look();
        world.process.drain(world.process.fanOut);
        return ref;
    }

    private boolean announcesALot(Call call) {
        return call.kind() == Kind.WRITE && call.place().equals(MessageStore.MESSAGE) && world.anyHanding();
    }

    /** Makes the storage unreachable after the first such call, whose answer is lost. */
    private void goesAway(Predicate<Call> when) {
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (when.test(call)) {
                    Outage outage = new Outage(world, OUTAGE, refused);
                    world.storage.hook(outage);
                    outage.before(call);
                }
            }
        });
    }

    private void assertAllSentOnce(MessageRef ref) {
        world.storage.hook(CallHook.NONE);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 12));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken()).hasSize(12);
        assertThat(world.transport.taken().values()).containsOnly(1);
        assertThat(world.process.thrown).isEmpty();
    }
}
