package org.azuremail.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.azuremail.attention.Cause.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.junit.jupiter.api.Test;

/** Checks the texts of problems. */
class CauseTest {

    private static final Instant HALF_PAST_THREE = Instant.parse("2026-11-22T15:30:09Z");

    private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");

    @Test
    void timesAreInTheZoneOfTheInstallation() {
        Cause waited =
                new Cause(Kind.PROVIDER_WAITED, "smtp", 1, List.of("smtp", HALF_PAST_THREE), "/operations", null);

        assertThat(waited.words(TOKYO, ".text")).contains("from 23 Nov 2026, 00:30");
    }

    @Test
    void soAreThoseOfAReasonInAProblem() {
        Reason why = Reason.of(ReasonCode.LEFT_ALONE, "smtp", HALF_PAST_THREE, Reason.ofText("502"));
        Cause paused = Cause.linked(Kind.MESSAGE_PAUSED, "7", "/messages/7", "Spring", why);

        assertThat(paused.words(TOKYO, ".text")).contains("not used until 23 Nov 2026, 00:30:09");
    }
}
