package org.azuremail.reason;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A reason is stored as a code")
class ReasonTest {

    private static final Instant UNTIL = Instant.parse("2026-11-22T15:30:09Z");

    @Test
    @DisplayName("and read as it was, whatever its texts hold")
    void isReadAsItWas() {
        Reason cause = Reason.ofText("|550\\n\\ a|b \\! Übel\u2028\\");
        Reason open = Reason.of(ReasonCode.LEFT_ALONE, "s|m\\tp", UNTIL, cause);
        Reason twice = Reason.of(ReasonCode.BOTH, open, Reason.of(ReasonCode.RATE_SECOND, "", 10));

        for (Reason reason : List.of(Reason.NONE, cause, open, twice, Reason.ofText("|SAID|x"))) {
            assertThat(Reason.read(reason.stored())).isEqualTo(reason);
        }
        assertThat(open.stored()).startsWith("|LEFT_ALONE|");
        assertThat(twice.cause(0).cause(2)).isEqualTo(cause);
    }

    @Test
    @DisplayName("and told in words")
    void isToldInWords() {
        assertThat(Reason.of(ReasonCode.LEFT_ALONE, "smtp", UNTIL, Reason.ofText("502")))
                .hasToString("smtp is not used until 22 Nov 2026, 15:30:09 UTC: 502");
        assertThat(Reason.of(ReasonCode.RATE_DAY, "smtp", 1000, 50, UNTIL))
                .hasToString("the limit of smtp is reached: 1,000 emails a day, of which 50 are reserved;"
                        + " sending continues at 22 Nov 2026, 15:30 UTC");
        assertThat(Reason.of(ReasonCode.RATE_MINUTE, "smtp", 20, 0))
                .hasToString("the limit of smtp is reached: 20 emails a minute");
        assertThat(Reason.ofText("it's {0}, 'said' <b>")).hasToString("it's {0}, 'said' <b>");
        assertThat(Reason.of(ReasonCode.UNPREPARED, "it's {0}"))
                .hasToString("the email could not be prepared: it's {0}");
        assertThat(Reason.NONE).hasToString("");
    }

    @Test
    @DisplayName("with its times, and those of its cause, in the zone of its reader")
    void timesAreShownInTheZoneOfTheReader() {
        Reason limit = Reason.of(ReasonCode.RATE_DAY, "smtp", 1000, 50, UNTIL);
        Reason both = Reason.of(ReasonCode.BOTH, limit, Reason.of(ReasonCode.LEFT_ALONE, "api", UNTIL, limit));

        assertThat(both.words(ZoneId.of("Asia/Tokyo")))
                .contains("sending continues at 23 Nov 2026, 00:30", "api is not used until 23 Nov 2026, 00:30:09")
                .doesNotContain("UTC", "15:30");
    }

    @ParameterizedTest
    @EnumSource(ReasonCode.class)
    @DisplayName("that has words of its own")
    void everyCodeHasWords(ReasonCode code) {
        Object[] values = {"a", 2, 3, UNTIL};
        Object[] fitting = code == ReasonCode.LEFT_ALONE ? new Object[] {"a", UNTIL, "c"} : values;

        assertThat(Reason.of(code, fitting).words()).isNotBlank().doesNotContain("{", "}", code.name(), "a, 2, 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "|",
                "||",
                "|LEFT_ALONE|",
                "|LEFT_ALONE|smtp|\\tnever|\\r",
                "|LEFT_ALONE|\\",
                "|RATE_DAY|a|b|\\nx|\\t"
            })
    @DisplayName("and what is cut off or broken is shown as far as it goes")
    void readsWhatIsBroken(String broken) {
        assertThat(Reason.read(broken).words()).isNotNull();
        assertThat(Reason.read(Reason.read(broken).stored())).isEqualTo(Reason.read(broken));
    }

    @Test
    @DisplayName("that a later version added tells what it mentions")
    void aLaterCodeTellsItsValues() {
        assertThat(Reason.read("|FULL_MOON|smtp|3")).hasToString("smtp, 3").returns("FULL_MOON", Reason::code);
        assertThat(Reason.read("|FULL_MOON")).hasToString("FULL_MOON");
    }

    @Test
    @DisplayName("and an older version's sentence is read as the code that it stands for")
    void readsLegacySentences() {
        Map<String, Reason> sentences = Map.of(
                "smtp is left alone until 22 Nov 2026, 15:30:09 UTC: The SMTP server mx:25 cannot be reached: no",
                Reason.of(
                        ReasonCode.LEFT_ALONE,
                        "smtp",
                        Instant.parse("2026-11-22T15:30:09Z"),
                        Reason.ofText("The SMTP server mx:25 cannot be reached: no")),
                "the limit of smtp is reached: 10 mails a second",
                Reason.of(ReasonCode.RATE_SECOND, "smtp", 10L),
                "the limit of smtp is reached: 20 mails a minute, of which 1 are kept",
                Reason.of(ReasonCode.RATE_MINUTE, "smtp", 20L, 1L),
                "the limit of a b is reached: 20 mails an hour; goes on at 1 Feb 2026, 09:05 UTC",
                Reason.of(ReasonCode.RATE_HOUR, "a b", 20L, 0L, Instant.parse("2026-02-01T09:05:00Z")),
                "the limit of smtp is reached: 500 mails a day, of which 25 are kept; goes on at 1 Feb 2026, 09:05 UTC",
                Reason.of(ReasonCode.RATE_DAY, "smtp", 500L, 25L, Instant.parse("2026-02-01T09:05:00Z")),
                "the mail could not be prepared: no field {name}",
                Reason.of(ReasonCode.UNPREPARED, "no field {name}"),
                "the storage was restored from a backup: nobody knows whether this mail went out after that was made",
                Reason.of(ReasonCode.STORAGE_RESTORED),
                "the sender stopped while handing this mail over",
                Reason.of(ReasonCode.SENDER_STOPPED),
                "cancelled",
                Reason.of(ReasonCode.CANCELLED));

        sentences.forEach(
                (sentence, reason) -> assertThat(Reason.read(sentence)).isEqualTo(reason));
        assertThat(Reason.read("550 no such user")).isEqualTo(Reason.ofText("550 no such user"));
        String noMoment = "smtp is left alone until 99 Nov 2026, 15:30:09 UTC: no";
        assertThat(Reason.read(noMoment)).isEqualTo(Reason.ofText(noMoment));
    }

    @Test
    @DisplayName("also where the version before this one put a code of ours into a sentence")
    void readsACodeInsideAnOldSentence() {
        assertThat(Reason.read("smtp is left alone until 22 Nov 2026, 15:30:09 UTC: |SAID|502"))
                .isEqualTo(Reason.of(ReasonCode.LEFT_ALONE, "smtp", UNTIL, Reason.ofText("502")));
    }

    @Test
    @DisplayName("except for those by which the version before this one still decides")
    void theVersionBeforeFindsWhatItDecidesBy() {
        Reason dead = Reason.of(ReasonCode.UNPREPARED, "a|b\\c");

        for (String sentence : List.of("import i-7", "from a@b.test", "from a@b.test on news to c@d.test on sports")) {
            assertThat(Reason.read(sentence).stored()).isEqualTo(sentence);
            assertThat(Reason.read(sentence)).hasToString(sentence).isNotEqualTo(Reason.ofText(sentence));
        }
        assertThat(dead.stored()).isEqualTo("the mail could not be prepared: a|b\\c");
        assertThat(Reason.read(dead.stored())).isEqualTo(dead);
        assertThat(Reason.ofText(dead.stored()).stored()).startsWith("|SAID|");
    }
}
