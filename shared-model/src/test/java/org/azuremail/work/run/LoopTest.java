package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.util.Strings;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.ManualTime;
import org.azuremail.work.signal.WakeUp;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class LoopTest {

    private final ManualTime time = new ManualTime();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger turns = new AtomicInteger();
    private final WakeUp wakeUp = new WakeUp();

    private Loop loop(Throwable failure) {
        Loop.Turn turn = woken -> {
            turns.incrementAndGet();
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        };
        return new Loop("test loop", turn, wakeUp, new WorkMetrics(registry), new FailureLog(time));
    }

    private void signalUntil(int wanted) {
        await().untilAsserted(() -> {
            wakeUp.signal();
            assertThat(turns.get()).isGreaterThanOrEqualTo(wanted);
        });
    }

    @Test
    @DisplayName("E-22: a loop that fails and fails is counted each time, and logs one error a minute")
    void e22_atMostOneErrorAMinuteIsLogged(CapturedOutput output) throws Exception {
        Loop loop = loop(new IllegalStateException("out of reach"));
        loop.start();
        signalUntil(20);
        assertThat(errors(output)).isEqualTo(1);

        time.advance(Duration.ofMinutes(1));
        signalUntil(turns.get() + 20);

        assertThat(errors(output)).isEqualTo(2);
        loop.stop();
        assertThat(loop.join(Duration.ofSeconds(10))).isTrue();
        assertThat(registry.counter("azuremail.work.loop.failures", "loop", "test loop")
                        .count())
                .isEqualTo(turns.get());
    }

    @Test
    void errorsAndInterruptsDoNotEndALoop() throws Exception {
        Loop loop = loop(new StackOverflowError());
        loop.start();
        signalUntil(2);
        loop.interrupt();
        signalUntil(turns.get() + 3);

        loop.stop();

        assertThat(loop.join(Duration.ofSeconds(10))).isTrue();
    }

    /** An outage lasts for many minutes, and its stack trace does not show the cause. */
    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "DENIED", "MISSING"})
    void onlyAFailureThatNobodyExplainsHasItsStackInTheLog(Reason reason, CapturedOutput output) throws Exception {
        Loop away = loop(new StorageException(reason, "receive from things: ConnectException", null));
        away.start();
        signalUntil(2);
        away.stop();
        assertThat(away.join(Duration.ofSeconds(10))).isTrue();
        assertThat(output)
                .contains("ERROR", "receive from things: ConnectException (" + reason + ")")
                .doesNotContain("\tat ");

        Loop broken = loop(new StorageException(Reason.UNKNOWN, "receive from things: HTTP 400", null));
        broken.start();
        signalUntil(turns.get() + 2);
        broken.stop();
        assertThat(broken.join(Duration.ofSeconds(10))).isTrue();
        assertThat(output).contains("\tat ");
    }

    private static int errors(CapturedOutput output) {
        String marker = "test loop failed and goes on";
        String all = output.getAll();
        assertThat(Strings.isNullOrEmpty(all)).isFalse();
        return all.split(marker, -1).length - 1;
    }
}
