package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks the places of a transport: each lot has one place while it is handed over, and none before or after. */
class PlacesTests {

    private final SimulatedWorld world = new SimulatedWorld();
    private final Set<Integer> takenByALot = new HashSet<>();
    private int places;

    @Test
    void aLotHasOnePlaceWhileItLeavesWhateverItWaitedFor() {
        AtomicInteger asked = new AtomicInteger();
        world.rate = mails -> asked.incrementAndGet() % 3 == 0
                ? RateLimitWait.NONE
                : new RateLimitWait(Duration.ofSeconds(asked.get() % 3), Reason.ofText("the limit is reached"));
        MessageRef ref = start(30);

        world.runToEnd();

        assertPlacesAreFree();
        world.assertAccounted(ref, verified("contoso1", 30));
    }

    @Test
    void aLotWhoseAnnouncementIsRefusedGivesItsPlaceBack() {
        AtomicInteger writes = new AtomicInteger();
        MessageRef ref = start(30);
        world.storage.hook(new CallHook() {
            private boolean touching;

            @Override
            public void before(Call call) {
                if (!touching && call.kind() == Kind.WRITE && writes.incrementAndGet() % 3 == 0) {
                    touching = true;
                    world.process.rewriter.touchAll(world.find(ref));
                    touching = false;
                }
            }
        });

        world.runToEnd();

        assertPlacesAreFree();
    }

    @Test
    void aLotThatCannotBeMadeAndATransportThatThrowsKeepNone() {
        MessageRef ref = start(30);
        world.process.poisoned.add("v04@contoso1.test");
        world.transport.answer((mail, attempt) -> {
            if (mail.to().address().value().startsWith("v1")) {
                throw new IllegalStateException("broken");
            }
            return new Answer.Accepted("id");
        });

        world.runToEnd();

        assertPlacesAreFree();
        assertThat(world.outcomes(ref)).hasSize(30);
        assertThat(world.detail(ref, "v10@contoso1.test"))
                .isEqualTo(Reason.of(ReasonCode.TRANSPORT_BROKE, "java.lang.IllegalStateException: broken")
                        .words());
    }

    @Test
    void aTransportThatIsAddedLaterHasAHandlerToo() {
        world.second = new RecordingTransport("added", 3);
        world.restart();
        Routes handlersOfOne = new Routes(world.process.context.routes().table(), 3, 3);

        assertThat(free()).isGreaterThan(2);
        assertThat(free(handlersOfOne)).isEqualTo(2);
        assertThat(free(new Routes(handlersOfOne.table(), 1, 1))).isEqualTo(1);
    }

    @Test
    @DisplayName("A range that waits for a place keeps its claim while its lease lasts: that costs few writes")
    void aRangeThatWaitsForAPlaceWritesLittle() {
        MessageRef ref = start(30);
        Route route = world.process.ways.get(0);
        Instant free = world.time.instant().plusSeconds(120);
        AtomicInteger writes = new AtomicInteger();
        AtomicInteger lapsed = new AtomicInteger();
        world.storage.hook(new CallHook() {
            private Instant written = world.time.instant();

            @Override
            public void after(Call call) {
                if (call.description().startsWith("Replace !range")) {
                    writes.incrementAndGet();
                    written = world.time.instant();
                } else if (world.time.instant().isAfter(written.plus(SimulatedWorld.SMALL.lease()))) {
                    lapsed.incrementAndGet();
                }
                if (world.time.instant().isAfter(free)) {
                    world.storage.hook(CallHook.NONE);
                    IntStream.range(0, places).forEach(place -> route.leave());
                }
            }
        });
        IntStream.range(0, places)
                .forEach(place ->
                        assertThat(world.process.context.routes().enter(route)).isTrue());

        world.runToEnd();

        assertThat(writes).hasValueLessThan(30);
        assertThat(lapsed).as("calls after a lease has ended").hasValue(0);
        assertPlacesAreFree();
        world.assertAccounted(ref, verified("contoso1", 30));
    }

    private MessageRef start(int recipients) {
        world.restart();
        places = free();
        world.transport.beforeHandOver(() -> takenByALot.add(places - free()));
        return world.message(world.list("contoso1", recipients, 0), OnUnknown.HOLD);
    }

    private void assertPlacesAreFree() {
        assertThat(takenByALot).containsExactly(1);
        assertThat(free()).isEqualTo(places).isPositive();
    }

    private int free() {
        return free(world.process.context.routes());
    }

    private int free(Routes routes) {
        Route route = world.process.ways.get(0);
        int free = 0;
        while (routes.enter(route)) {
            free++;
        }
        for (int place = 0; place < free; place++) {
            route.leave();
        }
        return free;
    }
}
