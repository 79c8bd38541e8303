package org.azuremail.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Together;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BreakerTest {

    private static final Unavailable NO_CONNECTION =
            new Unavailable(Kind.WAIT, Reason.ofText("no connection"), Duration.ofSeconds(10));

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final Breaker here = breaker();
    private final Breaker existing = breaker();

    /** Returns the breaker of another process. */
    private Breaker breaker() {
        return new Breaker(storage.storage(), time, "smtp", (transport, state) -> {});
    }

    private boolean open(Breaker breaker) {
        return breaker.checkAllowed("somebody").isPresent();
    }

    private void openHere() {
        here.recordUnknown(Reason.ofText("502"));
        here.recordUnknown(Reason.ofText("502"));
    }

    private void after(Duration duration) {
        time.advance(duration);
    }

    @Test
    void twoUnknownLotsInARowOpenItForAll() {
        assertThat(open(existing)).isFalse();
        here.recordUnknown(Reason.ofText("502"));
        assertThat(open(here)).isFalse();

        here.recordUnknown(Reason.ofText("502"));

        assertThat(open(here)).isTrue();
        after(Duration.ofSeconds(5));
        assertThat(existing.checkAllowed("other").orElseThrow().reason())
                .asString()
                .contains("smtp is not used until", "502");
    }

    @Test
    @DisplayName("Two unknown lots of two processes count together; one that was taken in between starts anew")
    void lotsOfAllProcessesCount() {
        here.recordUnknown(Reason.ofText("502"));
        existing.recordUnknown(Reason.ofText("502"));
        assertThat(open(existing)).isTrue();

        existing.close();
        here.recordSuccess();
        after(Duration.ofSeconds(5));
        here.recordUnknown(Reason.ofText("502"));
        here.recordSuccess();
        here.recordUnknown(Reason.ofText("502"));
        assertThat(open(here)).isFalse();
    }

    @Test
    void twoUnknownLotsThatAreReportedAtTheSameMomentCountBoth() {
        assertThat(open(here)).isFalse();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    storage.hook(CallHook.NONE);
                    existing.recordUnknown(Reason.ofText("502"));
                }
            }
        });

        here.recordUnknown(Reason.ofText("502"));

        assertThat(open(here)).isTrue();
    }

    @Test
    void allProcessesKnowThatAnAdminHasToAct() {
        here.recordUnavailable(new Unavailable(Kind.PAUSE, Reason.ofText("535"), Duration.ofMinutes(5)));

        assertThat(existing.checkAllowed("other").orElseThrow().kind()).isEqualTo(Kind.PAUSE);
    }

    @Test
    void threeLotsInARowOfWhichNothingWasTakenOpenIt() {
        here.recordUnavailable(NO_CONNECTION);
        here.recordUnavailable(NO_CONNECTION);
        here.recordSuccess();
        here.recordUnavailable(NO_CONNECTION);
        here.recordUnavailable(NO_CONNECTION);
        assertThat(open(here)).isFalse();

        here.recordUnavailable(NO_CONNECTION);

        Unavailable why = here.checkAllowed("somebody").orElseThrow();
        assertThat(why.kind()).isEqualTo(Kind.WAIT);
        assertThat(why.retryAfter()).isEqualTo(Duration.ofSeconds(10));
        assertThat(why.reason()).asString().contains("no connection");
    }

    @Test
    @DisplayName("A provider that says when to ask again is not used until then, at once and no longer")
    void askedTimesAreKept() {
        here.recordUnavailable(new Unavailable(Kind.WAIT, Reason.ofText("429"), Duration.ofMinutes(17), true));

        assertThat(here.checkAllowed("a").orElseThrow().retryAfter()).isEqualTo(Duration.ofMinutes(17));
        after(Duration.ofMinutes(17).minusMillis(1));
        assertThat(open(here)).isTrue();
        after(Duration.ofMillis(1));
        assertThat(open(here)).isFalse();

        here.recordUnavailable(new Unavailable(Kind.WAIT, Reason.ofText("429"), Duration.ofDays(17), true));
        assertThat(here.checkAllowed("a").orElseThrow().retryAfter()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void afterTheWaitExactlyOneLotGoesAsAProbe() {
        openHere();
        after(Duration.ofSeconds(10));

        assertThat(here.checkAllowed("probe")).isEmpty();
        assertThat(here.checkAllowed("other of the process")).isPresent();
        assertThat(existing.checkAllowed("other process").orElseThrow().retryAfter())
                .isEqualTo(Duration.ofSeconds(5));
        assertThat(here.checkAllowed("probe"))
                .as("asking again it is still the probe")
                .isEmpty();
        assertThat(breaker().checkAllowed("third process")).isPresent();
    }

    @Test
    void exactlyOneOfManyThreadsInTwoProcessesIsTheProbe() throws Exception {
        openHere();
        open(existing);
        after(Duration.ofSeconds(10));

        List<Optional<Unavailable>> answers =
                Together.run(8, thread -> () -> (thread % 2 == 0 ? here : existing).checkAllowed("attempt " + thread));

        assertThat(answers).filteredOn(Optional::isEmpty).hasSize(1);
    }

    @Test
    void aProcessThatLosesTheProbeToAnotherWaits() {
        openHere();
        after(Duration.ofSeconds(10));
        beforeTheNextWrite(
                storage, () -> assertThat(existing.checkAllowed("faster")).isEmpty());

        assertThat(here.checkAllowed("slower")).isPresent();
        assertThat(existing.checkAllowed("faster")).isEmpty();
    }

    @Test
    void aBreakerThatIsClosedWhileItIsAskedForAProbeStaysClosed() {
        openHere();
        after(Duration.ofSeconds(10));
        beforeTheNextWrite(storage, existing::close);

        assertThat(here.checkAllowed("somebody")).isEmpty();
        assertThat(breaker().state()).isEqualTo(BreakerState.CLOSED);
    }

    static void beforeTheNextWrite(SimulatedStorage storage, Runnable act) {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    storage.hook(CallHook.NONE);
                    act.run();
                }
            }
        });
    }

    @Test
    void aProbeThatIsTakenLetsMailFlowAgain() {
        openHere();
        after(Duration.ofSeconds(10));
        assertThat(existing.checkAllowed("probe")).isEmpty();

        existing.recordSuccess();

        assertThat(open(existing)).isFalse();
        after(Duration.ofSeconds(5));
        assertThat(open(here)).isFalse();
        here.recordUnknown(Reason.ofText("502"));
        assertThat(open(here)).as("counting begins anew").isFalse();
    }

    @Test
    void aProbeThatFailsDoublesTheWaitUpToTenMinutes() {
        openHere();
        for (int seconds : new int[] {10, 20, 40, 80, 160, 320, 600, 600}) {
            assertThat(here.checkAllowed("probe").orElseThrow().retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
            after(Duration.ofSeconds(seconds));
            assertThat(here.checkAllowed("probe")).isEmpty();
            if (seconds % 3 == 0) {
                here.recordUnknown(Reason.ofText("502"));
            } else {
                here.recordUnavailable(NO_CONNECTION);
            }
        }
        here.recordSuccess();
        assertThat(here.checkAllowed("probe"))
                .as("still waiting: that lot had begun before")
                .isPresent();
    }

    @Test
    @DisplayName("A probe whose process died leaves the next one to somebody else after a minute")
    void aDeadProbeIsFollowedByAnother() {
        openHere();
        after(Duration.ofSeconds(10));
        assertThat(here.checkAllowed("dies")).isEmpty();

        after(Duration.ofSeconds(59));
        assertThat(existing.checkAllowed("next")).isPresent();
        after(Duration.ofSeconds(1));

        assertThat(existing.checkAllowed("next")).isEmpty();
        assertThat(here.checkAllowed("third")).isPresent();
    }

    @Test
    void aRestartKeepsItOpenAndAPersonMayCloseIt() {
        openHere();
        Breaker afterRestart = breaker();
        assertThat(open(afterRestart)).isTrue();
        assertThat(afterRestart.state().reason()).asString().isEqualTo("502");

        afterRestart.close();

        assertThat(open(afterRestart)).isFalse();
        assertThat(afterRestart.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void aPersonClosesItWhateverTheProcessOfThePageHeard() {
        assertThat(open(existing)).isFalse();
        openHere();

        assertThat(here.closedMeanwhile()).isFalse();
        existing.close();

        assertThat(breaker().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(here.closedMeanwhile()).isTrue();
        assertThat(open(here)).isFalse();
    }

    @Test
    @DisplayName("A provider is well since its last proper answer to this process, while the breaker is closed")
    void aProviderIsWellSinceItsLastAnswer() {
        Instant before = time.instant();
        assertThat(here.healthySince(before)).isFalse();
        after(Duration.ofSeconds(1));

        here.recordSuccess();

        assertThat(here.healthySince(before)).isTrue();
        assertThat(here.healthySince(time.instant())).isTrue();
        assertThat(here.healthySince(time.instant().plusMillis(1))).isFalse();
        assertThat(existing.healthySince(before)).isFalse();
        openHere();
        assertThat(here.healthySince(before)).isFalse();
    }

    @Test
    @DisplayName("A doubt lasts two minutes, begins anew after that, and ends with each proper answer")
    void aDoubtLastsUntilAProperAnswer() {
        assertThat(here.stillInDoubt()).isFalse();
        after(Duration.ofMinutes(2).minusMillis(1));
        assertThat(here.stillInDoubt()).isFalse();
        after(Duration.ofMillis(1));
        assertThat(here.stillInDoubt()).isTrue();
        assertThat(here.stillInDoubt()).isFalse();
        after(Duration.ofMinutes(1));

        here.recordSuccess();

        after(Duration.ofMinutes(1));
        assertThat(here.stillInDoubt()).isFalse();
        after(Duration.ofMinutes(2));
        assertThat(here.stillInDoubt()).isTrue();
    }

    @Test
    @DisplayName("While mail flows it reads its row each five seconds, writes nothing, and at rest does neither")
    void aFlowingTransportCostsNothing() {
        for (int lot = 0; lot < 100; lot++) {
            here.checkAllowed("lot " + lot);
            here.recordSuccess();
            after(Duration.ofMillis(500));
        }

        assertThat(storage.calls(Call.Kind.WRITE)).isZero();
        assertThat(storage.calls(Call.Kind.GET)).isEqualTo(10);
    }

    @Test
    void aFailureToWriteTheBreakersRowIsNoFailureOfTheLot() {
        open(here);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
        });

        here.recordUnknown(Reason.ofText("502"));
        here.recordUnavailable(NO_CONNECTION);
        here.recordSuccess();

        assertThat(open(here)).isFalse();
        assertThatThrownBy(() -> open(existing)).isInstanceOf(StorageException.class);
    }

    @Test
    @DisplayName("A clock that was days ahead closes nothing for days")
    void aWildClockIsNotWaitedFor() {
        ManualTime wild = ManualTime.at(time.instant().plus(Duration.ofDays(30)));
        Breaker ahead = new Breaker(storage.storage(), wild, "smtp", (unused, state) -> {});
        ahead.recordUnknown(Reason.ofText("502"));
        ahead.recordUnknown(Reason.ofText("502"));

        assertThat(open(here)).isFalse();
    }
}
