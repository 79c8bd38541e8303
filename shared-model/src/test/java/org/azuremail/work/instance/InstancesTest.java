package org.azuremail.work.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.lease.WatchedHolders;
import org.junit.jupiter.api.Test;

class InstancesTest {

    private static final Registration SENDER = new Registration(
            "mill", Set.of("sender"), Set.of("azuremailqueue", "azuremailtestqueue"), Set.of("trim"), "mill:4711");
    private static final Registration WEB = new Registration("mill", Set.of("web"), Set.of(), Set.of(), "");

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final Set<String> gone = new HashSet<>();
    private final Instances sender = process(1);
    private final Instances web = process(2);

    private Instances process(long seed, InstanceFacts... facts) {
        return new Instances(storage.storage(), time, new SeededIds(seed)::token, () -> Stream.of(facts));
    }

    @Test
    void aProcessThatHasBegunIsSeenByAllWithItsWork() {
        Instance born = sender.register(SENDER);
        sender.heartbeat();

        assertThat(web.live()).containsExactly(born);
        assertThat(born.queues()).contains("azuremailtestqueue");
        assertThat(born.signalAddress()).isEqualTo("mill:4711");
    }

    @Test
    void aProcessThatHasNotBegunWritesNothing() {
        sender.heartbeat();
        sender.deregister();

        assertThat(storage.calls(Call.Kind.WRITE)).isZero();
    }

    @Test
    void eachStartIsAnotherInstance() {
        Instance first = sender.register(SENDER);
        sender.heartbeat();
        sender.deregister();
        Instance second = sender.register(SENDER);
        sender.heartbeat();

        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(web.known()).containsExactly(second);
    }

    @Test
    void aProcessThatStopsInOrderIsGoneAtOnce() {
        sender.register(SENDER);
        sender.heartbeat();

        sender.deregister();
        sender.heartbeat();

        assertThat(web.known()).isEmpty();
        assertThat(sender.self()).isEmpty();
    }

    @Test
    void aProcessThatMissesTwoHeartbeatsIsDeadButShownForAnHour() {
        sender.register(SENDER);
        sender.heartbeat();
        time.advance(Instances.LIVE.minusSeconds(1));
        assertThat(web.live()).hasSize(1);

        time.advance(Instances.CACHE_TTL);

        assertThat(web.live()).isEmpty();
        assertThat(web.known()).hasSize(1);
        web.reapDead();
        assertThat(web.known()).hasSize(1);
        time.advance(Instances.RETENTION_AFTER_DEATH);
        web.reapDead();
        assertThat(web.known()).isEmpty();
    }

    @Test
    void aProcessThatWasTakenForDeadComesBackWithItsNextHeartbeat() {
        Instance born = sender.register(SENDER);
        sender.heartbeat();
        time.advance(Duration.ofHours(2));
        web.reapDead();

        sender.heartbeat();

        assertThat(web.live()).singleElement().satisfies(back -> {
            assertThat(back.id()).isEqualTo(born.id());
            assertThat(back.startedAt()).isEqualTo(born.startedAt());
        });
    }

    @Test
    void nobodyTakesAwayARowThatWasRenewedMeanwhile() {
        sender.register(SENDER);
        sender.heartbeat();
        time.advance(Duration.ofHours(2));
        storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.QUERY) {
                    storage.hook(CallHook.NONE);
                    sender.heartbeat();
                }
            }
        });

        web.reapDead();

        assertThat(web.live()).hasSize(1);
    }

    @Test
    void askingForLiveProcessesCostsAtMostOneQueryAMinute() {
        sender.register(SENDER);
        sender.heartbeat();
        web.live();
        storage.resetCounters();

        for (int second = 0; second < 600; second++) {
            time.advance(Duration.ofSeconds(1));
            web.live();
        }

        assertThat(storage.calls()).isEqualTo(10);
    }

    @Test
    void newsIsReadAtOnce() {
        web.live();
        sender.register(SENDER);
        sender.heartbeat();
        assertThat(web.live()).isEmpty();

        web.markStale();

        assertThat(web.live()).hasSize(1);
    }

    @Test
    void aHeartbeatCostsOneWrite() {
        sender.register(SENDER);
        sender.heartbeat();
        storage.resetCounters();

        sender.heartbeat();

        assertThat(storage.calls()).isEqualTo(1);
    }

    @Test
    void whereTheStorageIsOutOfReachTheNextHeartbeatRepairsIt() {
        sender.register(SENDER);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
        });
        assertThatThrownBy(sender::heartbeat).isInstanceOf(StorageException.class);
        assertThatThrownBy(web::live).isInstanceOf(StorageException.class);
        storage.hook(CallHook.NONE);

        sender.heartbeat();

        assertThat(web.live()).hasSize(1);
    }

    @Test
    void factsOfAllPartsStandInTheRow() {
        Instances counting = process(3, () -> Map.of("calls", "12"), () -> Map.of("items", "7 ü"));
        counting.register(WEB);
        counting.heartbeat();

        assertThat(web.live()).singleElement().satisfies(instance -> assertThat(instance.facts())
                .containsExactlyInAnyOrderEntriesOf(Map.of("calls", "12", "items", "7 ü")));
    }

    @Test
    void aPartThatFailsOrSaysTooMuchIsLeftOut() {
        InstanceFacts broken = () -> {
            throw new IllegalStateException("broken");
        };
        InstanceFacts endless = () -> Map.of("all", "x".repeat(Instances.MAX_FACTS));
        Instances counting = process(3, broken, endless, () -> Map.of("items", "7"));
        counting.register(WEB);
        counting.heartbeat();

        assertThat(web.live()).singleElement().satisfies(instance -> assertThat(instance.facts())
                .containsExactly(Map.entry("items", "7")));
    }

    @Test
    void anInstanceWhoseProcessHasEndedIsDeadAtOnceAndItIsSaidOnce() {
        Instances killed = named("killed");
        Instance died = killed.register(SENDER);
        killed.heartbeat();
        web.register(WEB);
        web.heartbeat();
        assertThat(knowing().live()).hasSize(2).contains(died);

        gone.add("killed");

        Instances looks = knowing();
        assertThat(looks.live()).doesNotContain(died).hasSize(1);
        assertThat(looks.known()).as("shown for an hour").hasSize(2);
        assertThat(looks.isDead(died.id())).isTrue();
        assertThat(looks.reapDead()).extracting(Instance::id).containsExactly("killed");
        assertThat(looks.reapDead()).isEmpty();
        assertThat(knowing().reapDead()).isEmpty();
        time.advance(Instances.LIVE.plus(Instances.RETENTION_AFTER_DEATH).plusSeconds(1));
        web.heartbeat();
        assertThat(looks.reapDead()).isEmpty();
        assertThat(looks.known()).hasSize(1);
    }

    @Test
    void aProcessThatFallsSilentIsToldOfOnceAndAgainAfterItCameBack() {
        sender.register(SENDER);
        sender.heartbeat();
        time.advance(Instances.LIVE);
        assertThat(web.reapDead()).hasSize(1);
        assertThat(web.reapDead()).isEmpty();

        sender.heartbeat();
        assertThat(web.reapDead()).isEmpty();
        time.advance(Instances.LIVE.plus(Instances.RETENTION_AFTER_DEATH).plusSeconds(1));

        assertThat(web.reapDead()).as("removed at once, and told").hasSize(1);
        assertThat(web.known()).isEmpty();
    }

    private Instances named(String id) {
        return new Instances(storage.storage(), time, new WatchedHolders(() -> id, gone), Stream::of);
    }

    private Instances knowing() {
        return named("looks");
    }
}
