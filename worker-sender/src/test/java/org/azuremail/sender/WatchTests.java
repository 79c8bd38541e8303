package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.work.service.Delivery;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks how long a lot that lapsed in Handing is watched, and which changes count as signs of life. */
class WatchTests {

    private static final Instant LEASE_END = Instant.parse("2026-01-01T12:00:30Z");

    private final SimulatedWorld world = new SimulatedWorld();
    private final List<String> calls = new ArrayList<>();

    /** The change that the holder makes to the range at the first read. */
    private UnaryOperator<Range> holder = UnaryOperator.identity();

    private boolean stopping;
    private int looks;

    @Test
    @DisplayName("It is watched for all of its time, however long this process has been running")
    void itIsWatchedFromNowOn() {
        Versioned<Range> lapsed = handing();
        world.time.advance(Duration.ofHours(3));
        Duration began = world.time.elapsed();

        assertThat(over(lapsed, Shrunk.LIMITS)).isPresent();

        assertThat(world.time.elapsed().minus(began)).isEqualTo(Shrunk.LIMITS.watch());
    }

    static Stream<Arguments> signsOfLife() {
        return Stream.of(
                sign("it renews its lease", range -> range.renewed(LEASE_END.plusSeconds(1))),
                sign("it has recorded what became of the lot", range -> range.claimed(null)),
                sign("another attempt has it", range -> range.held("another", LEASE_END)),
                sign("the same attempt has it for the second time", range -> range.held("holder", LEASE_END)));
    }

    private static Arguments sign(String name, UnaryOperator<Range> change) {
        return Arguments.argumentSet(name, change);
    }

    @ParameterizedTest
    @MethodSource("signsOfLife")
    void aWriteOfTheHolderLeavesTheRangeToIt(UnaryOperator<Range> sign) {
        Versioned<Range> lapsed = handing();
        holder = sign;

        assertThat(over(lapsed, Shrunk.LIMITS)).isEmpty();
    }

    @Test
    void aRangeThatOthersRewroteUnchangedIsTakenWithItsPresentETag() {
        Versioned<Range> lapsed = handing();
        holder = range -> range.queued(LEASE_END);

        Optional<Versioned<Range>> free = over(lapsed, Shrunk.LIMITS);

        assertThat(free).isPresent();
        assertThat(free.orElseThrow().etag()).isNotEqualTo(lapsed.etag());
        assertThat(free.orElseThrow().value().queuedAt()).isEqualTo(LEASE_END);
    }

    @Test
    void aProcessThatStopsWatchesNoLonger() {
        Versioned<Range> lapsed = handing();
        stopping = true;

        assertThat(over(lapsed, Shrunk.LIMITS)).isEmpty();
        assertThat(world.time.elapsed()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aThreadThatIsInterruptedWatchesNoLongerAndStaysInterrupted() {
        Versioned<Range> lapsed = handing();
        Thread.currentThread().interrupt();

        assertThat(over(lapsed, Shrunk.LIMITS)).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aLotThatHadNotLeftIsFreeAtOnce() {
        assertFreeAtOnce(written(range -> range.held("holder", LEASE_END)), Shrunk.LIMITS);
    }

    /** After a restore, the lot has no holder who could return. */
    @Test
    void aLotThatNobodyHoldsIsFreeAtOnce() {
        assertFreeAtOnce(written(range -> range.held("", LEASE_END).handing(all(range))), Shrunk.LIMITS);
    }

    @Test
    void aLotIsFreeAtOnceWhenNoOtherHostUsesTheStorage() {
        assertFreeAtOnce(handing(), Shrunk.LIMITS.withSkew(Duration.ZERO));
    }

    private void assertFreeAtOnce(Versioned<Range> lapsed, DeliveryLimits limits) {
        Duration began = world.time.elapsed();

        assertThat(over(lapsed, limits)).containsSame(lapsed);

        assertThat(world.time.elapsed()).isEqualTo(began);
        assertThat(calls).as("calls of the storage").isEmpty();
    }

    private Optional<Versioned<Range>> over(Versioned<Range> lapsed, DeliveryLimits limits) {
        DeliveryStore store = new DeliveryStore(world.storage.tables(), limits, nonce -> false);
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                calls.add(call.description());
            }
        });
        return new LapsedClaimWatch(store, world.time).watch(lapsed, delivery());
    }

    private Versioned<Range> handing() {
        return written(range -> range.held("holder", LEASE_END).handing(all(range)));
    }

    private static LotBounds all(Range range) {
        return new LotBounds(range.span().from(), range.span().to(), null, false, "");
    }

    private Versioned<Range> written(UnaryOperator<Range> change) {
        MessageRef ref = world.message(world.list("contoso1", 1, 3, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        Versioned<Range> open =
                world.process.deliveries.controls(new ShardKey(ref, 0)).ranges().get(0);
        return change(open, change);
    }

    private Versioned<Range> change(Versioned<Range> read, UnaryOperator<Range> change) {
        world.process.deliveries.replaceRange(read, change.apply(read.value()));
        return world.process.deliveries.range(read.value().key()).orElseThrow();
    }

    private Delivery delivery() {
        return new Delivery() {
            @Override
            public String itemId() {
                return "item";
            }

            @Override
            public int dequeueCount() {
                return 1;
            }

            @Override
            public boolean stopping() {
                if (++looks == 1) {
                    itsHolderActs();
                }
                return stopping;
            }
        };
    }

    private void itsHolderActs() {
        ShardKey shard = new ShardKey(world.process.messageStore.active().get(0).ref(), 0);
        change(world.process.deliveries.controls(shard).ranges().get(0), holder);
    }
}
