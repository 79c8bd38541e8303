package org.azuremail.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Checks that each opening and closing of a breaker is reported once over all processes, even if an answer was lost.
 */
@ExtendWith(OutputCaptureExtension.class)
class BreakerReportsTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    /** Whether the breaker was closed, for each reported change. */
    private final List<Boolean> told = new ArrayList<>();

    /** The number of reports that a breaker may have changed. */
    private int perhaps;

    private final Breaker here = breaker();
    private final Breaker existing = breaker();

    /** Returns the breaker of another process. */
    private Breaker breaker() {
        return new Breaker(storage.storage(), time, "smtp", new Breaker.Changes() {
            @Override
            public void changed(String transport, BreakerState state) {
                told.add(state.closed());
            }

            @Override
            public void mayHaveChanged() {
                perhaps++;
            }
        });
    }

    private static void open(Breaker breaker) {
        breaker.recordUnknown(Reason.ofText("502"));
        breaker.recordUnknown(Reason.ofText("502"));
    }

    @Test
    void openingAndClosingIsReportedOnceOverAllProcesses(CapturedOutput output) {
        existing.close();
        open(here);
        existing.recordUnknown(Reason.ofText("502"));
        time.advance(Duration.ofSeconds(10));
        assertThat(existing.checkAllowed("probe that fails")).isEmpty();
        existing.recordUnknown(Reason.ofText("502"));
        time.advance(Duration.ofSeconds(20));
        assertThat(existing.checkAllowed("probe")).isEmpty();
        existing.recordSuccess();
        existing.recordSuccess();
        here.recordSuccess();
        open(here);
        existing.close();

        assertThat(told).containsExactly(false, true, false);
        assertThat(output.toString().lines().filter(line -> line.contains("WARN") && line.contains("Mail by smtp")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("waits until", "502"),
                        line -> assertThat(line).contains("flows again"),
                        line -> assertThat(line).contains("waits until"),
                        line -> assertThat(line).contains("somebody asked for it"));
    }

    @Test
    void twoLotsThatFailAtTheSameMomentAreReportedOnce(CapturedOutput output) {
        Unavailable asked = new Unavailable(Kind.WAIT, Reason.ofText("429"), Duration.ofMinutes(1), true);
        BreakerTest.beforeTheNextWrite(storage, () -> existing.recordUnavailable(asked));

        here.recordUnavailable(asked);

        assertThat(told).containsExactly(false);
        assertThat(output).containsOnlyOnce("Mail by smtp waits until");
    }

    @Test
    void anOpeningIsReportedAlthoughTheAnswerToItsWriteWasLost() {
        Unavailable asked = new Unavailable(Kind.WAIT, Reason.ofText("429"), Duration.ofMinutes(1), true);
        theNextWriteIsDoneButFails();

        here.recordUnavailable(asked);

        assertThat(breaker().state().closed()).isFalse();
        assertThat(told).isEmpty();
        assertThat(perhaps).isEqualTo(1);
    }

    /** The storage's client repeats a call without an answer, and then finds the row changed by itself. */
    @Test
    void anOpeningWhoseRepeatedWriteIsRefusedIsReported() {
        Unavailable asked = new Unavailable(Kind.WAIT, Reason.ofText("429"), Duration.ofMinutes(1), true);
        BreakerTest.beforeTheNextWrite(storage, () -> {
            existing.recordUnavailable(asked);
            told.clear();
        });

        here.recordUnavailable(asked);
        here.recordUnavailable(asked);

        assertThat(told).isEmpty();
        assertThat(perhaps).isEqualTo(1);
    }

    private void theNextWriteIsDoneButFails() {
        storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    storage.hook(CallHook.NONE);
                    throw new StorageException(StorageException.Reason.TIMED_OUT, "nobody heard the answer", null);
                }
            }
        });
    }
}
