package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes whose storage goes away in the middle of a message. Most of the time they wait for it, as this test does. */
class AzuriteOutageIT extends OnAzurite {

    @Test
    @Timeout(300)
    @DisplayName("E-22: twenty seconds in which the storage refuses every connection lose and double nobody")
    void e22_twentySecondsWithoutStorageLoseAndDoubleNobody() throws Exception {
        Mailing mailing = mailings.begin("refused", Program.readers(PEOPLE));
        mailings.untilMailed(mailing, PEOPLE / 10);

        processes.proxy().breakOff();
        goesOnAfter(Duration.ofSeconds(20), mailing);
    }

    @Test
    @Tag("long")
    @Timeout(480)
    @DisplayName("E-22: two minutes in which the storage says nothing lose and double nobody; one error a minute")
    void e22_twoMinutesOfSilentStorageLoseAndDoubleNobody() throws Exception {
        Mailing mailing = mailings.begin("silent", Program.readers(PEOPLE));
        mailings.untilMailed(mailing, PEOPLE / 10);

        processes.proxy().hang();
        goesOnAfter(Duration.ofMinutes(2), mailing);
    }

    private void goesOnAfter(Duration outage, Mailing mailing) throws Exception {
        endure(outage);

        assertThat(mailings.inDoubt(mailing)).isEmpty();
        assertThat(processes.allRun()).isTrue();
        atMostOneErrorAMinute();
    }

    /** The storage is out of reach already; in the end it is back. Meanwhile nobody waits for ever, or dies. */
    private void endure(Duration length) {
        try {
            Awaitility.await()
                    .during(length)
                    .atMost(length.plusSeconds(60))
                    .pollInterval(Duration.ofMillis(500))
                    .until(processes::allRun);
            assertThat(processes.program().get("/api/v1/lists").status())
                    .as("a call meanwhile")
                    .isEqualTo(503);
        } finally {
            processes.proxy().pass();
        }
    }

    private void atMostOneErrorAMinute() throws Exception {
        for (WorkerProcess process : processes.ever()) {
            List<Instant> errors = process.errors();
            for (int i = 1; i < errors.size(); i++) {
                assertThat(Duration.between(errors.get(i - 1), errors.get(i)))
                        .as("between two errors of\n" + process.log())
                        .isGreaterThan(Duration.ofSeconds(59));
            }
        }
    }
}
