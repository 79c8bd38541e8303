package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks which steps a living sender may take with a lot after the storage was unreachable. */
class OutageInALotTests {

    private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

    private final SimulatedWorld world = new SimulatedWorld();
    private final AtomicInteger refused = new AtomicInteger();

    @Test
    @DisplayName("I2: a lot that is handed over once more stays that when its announcement is taken back")
    void aLotThatIsTakenBackIsStillHandedOverForTheLastTime() {
        MessageRef ref = fannedOut(OnUnknown.RESEND);
        world.transport.answer((mail, attempt) -> new Answer.Unknown(Reason.ofText("the connection broke")));
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (world.transport.handOvers() == 1 && changesR(call) && world.anyHanding()) {
                    goesAway(TWO_MINUTES).before(call);
                }
            }
        });

        world.process.drain(world.process.sender);

        world.runToEnd();
        assertThat(refused).as("calls that were refused").hasPositiveValue();
        assertThat(world.outcomes(ref)).hasSize(12).containsValue(Outcome.UNKNOWN);
        assertThat(world.transport.taken().values()).containsOnly(2);
    }

    @Test
    @DisplayName("While a lot is prepared anew after an outage R announces none: who dies then leaves nobody in doubt")
    void anAnnouncedLotIsTakenBackFirst() {
        List<Boolean> announced = new ArrayList<>();
        world.rate = mails -> {
            if (refused.get() > 0 && world.transport.handOvers() == 0) {
                announced.add(world.anyHanding());
            }
            return RateLimitWait.NONE;
        };
        world.restart();
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (changesR(call) && world.anyHanding()) {
                    goesAway(TWO_MINUTES).before(call);
                }
            }
        });

        world.process.drain(world.process.sender);

        assertThat(announced).containsExactly(false);
        world.runToEnd();
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    @Test
    @DisplayName("An hour of patience is for each outage: two of forty minutes in one run leave nobody in doubt")
    void eachOutageHasAnHour() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        Set<Integer> outages = new HashSet<>();
        CallHook announcements = new CallHook() {
            @Override
            public void after(Call call) {
                boolean another = outages.size() == world.transport.handOvers() && outages.size() < 2;
                if (another && changesR(call) && world.anyHanding()) {
                    outages.add(world.transport.handOvers());
                    goesAway(Duration.ofMinutes(40), this).before(call);
                }
            }
        };
        world.storage.hook(announcements);

        world.process.drain(world.process.sender);

        assertThat(outages).hasSize(2);
        world.storage.hook(CallHook.NONE);
        world.runToEnd();
        assertThat(world.outcomes(ref)).hasSize(12);
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    @Test
    @DisplayName(
            "I2: a sender that gave up waiting to record a provider's answer leaves the lot in doubt, and hands it over no more")
    void aLotWhoseAnswersWereGivenUpIsInDoubt() {
        MessageRef ref = fannedOut(OnUnknown.HOLD);
        world.transport.afterHandOver(() -> {
            if (world.transport.handOvers() == 1) {
                goesAway(Duration.ofMinutes(90));
            }
        });

        assertThatThrownBy(() -> world.process.drain(world.process.sender)).isInstanceOf(StorageException.class);

        world.storage.hook(CallHook.NONE);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 12));
        assertThat(world.outcomes(ref)).containsValue(Outcome.UNKNOWN);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    @DisplayName("A lot whose lease can be renewed no more ends between two mails")
    void aLotEndsWhereItsLeaseCannotBeRenewed() {
        MessageRef ref = fannedOut(OnUnknown.RESEND);
        AtomicInteger pauses = new AtomicInteger();
        world.transport.betweenMails(() -> {
            if (pauses.incrementAndGet() == 1) {
                world.time.advance(Duration.ofSeconds(20));
                goesAway(TWO_MINUTES);
            }
        });
        world.transport.afterHandOver(() -> {
            if (world.transport.handOvers() == 1) {
                assertThat(world.transport.taken()).as("of a lot of four").hasSize(1);
            }
        });

        world.process.drain(world.process.sender);

        world.storage.hook(CallHook.NONE);
        world.runToEnd();
        assertThat(world.outcomes(ref)).hasSize(12);
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken().values()).containsOnly(1);
        assertThat(world.process.thrown).isEmpty();
    }

    private CallHook goesAway(Duration length, CallHook then) {
        Outage outage = new Outage(world, length, refused);
        CallHook both = new CallHook() {
            @Override
            public void before(Call call) {
                outage.before(call);
            }

            @Override
            public void after(Call call) {
                then.after(call);
            }
        };
        world.storage.hook(both);
        return both;
    }

    private static boolean changesR(Call call) {
        return call.kind() == Call.Kind.WRITE && call.place().equals(MessageStore.MESSAGE);
    }

    private Outage goesAway(Duration length) {
        Outage outage = new Outage(world, length, refused);
        world.storage.hook(outage);
        return outage;
    }

    private MessageRef fannedOut(OnUnknown onUnknown) {
        MessageRef ref = world.message(world.list("contoso1", 12, 0), onUnknown);
        world.process.look();
        world.process.drain(world.process.fanOut);
        return ref;
    }
}
