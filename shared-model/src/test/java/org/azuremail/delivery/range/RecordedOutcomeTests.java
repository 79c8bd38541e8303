package org.azuremail.delivery.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedOutcomeTests {

    @ParameterizedTest
    @CsvSource({
        "SENT, 0, FAILED, 3, SENT",
        "SENT, 0, UNKNOWN, 0, SENT",
        "UNKNOWN, 2, SENT, 0, SENT",
        "FAILED, 0, UNKNOWN, 1, UNKNOWN",
        "FAILED, 1, SKIPPED, 0, FAILED",
        "UNKNOWN, 0, SKIPPED, 0, UNKNOWN",
        "SKIPPED, 0, UNKNOWN, 0, UNKNOWN",
        "UNKNOWN, 0, SKIPPED, 1, SKIPPED",
        "UNKNOWN, 0, FAILED, 0, FAILED",
        "FAILED, 0, UNKNOWN, 0, FAILED",
        "SKIPPED, 0, FAILED, 0, FAILED"
    })
    void sentBeatsEverythingThenTheLaterGenerationThenTheSurerOutcome(
            Outcome first, int firstGeneration, Outcome second, int secondGeneration, Outcome standing) {
        RecordedOutcome merged = recorded(first, firstGeneration).merge(recorded(second, secondGeneration));

        assertThat(merged.outcome()).isEqualTo(standing);
        assertThat(merged.generation()).isEqualTo(Math.max(firstGeneration, secondGeneration));
    }

    /** A provider's report on an email replaces an admin's decision about it and cannot be undone. */
    @Test
    void aSentThatIsKnownReplacesADecidedOneWhicheverComesFirst() {
        Instant decision = Instant.EPOCH.plusSeconds(60);
        RecordedOutcome decided = recorded(Outcome.UNKNOWN, 0).decidedSent("ada@example.org", decision);
        RecordedOutcome known = recorded(Outcome.SENT, 0);

        assertThat(decided.undecided(decision).outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(decided.undecided(decision.plusSeconds(1))).isEqualTo(decided);
        assertThat(decided.merge(known).undecided(decision).outcome()).isEqualTo(Outcome.SENT);
        assertThat(known.merge(decided).undecided(decision).outcome()).isEqualTo(Outcome.SENT);
    }

    @Test
    void aDecidedSentStaysThoughALaterHandOverFails() {
        RecordedOutcome decided =
                recorded(Outcome.UNKNOWN, 0).decidedSent("ada@example.org", Instant.EPOCH.plusSeconds(60));

        assertThat(decided.merge(recorded(Outcome.FAILED, 1)).outcome()).isEqualTo(Outcome.SENT);
    }

    @ParameterizedTest
    @CsvSource({"SENT, 0, 3, true", "UNKNOWN, 0, 0, true", "SKIPPED, 2, 1, true", "FAILED, 0, 1, false"})
    void onlySentOrAnOutcomeOfTheSameOrALaterHandOverNeedsNoEmail(
            Outcome outcome, int generation, int ofRow, boolean settles) {
        assertThat(recorded(outcome, generation).settles(ofRow)).isEqualTo(settles);
    }

    /** A decision can be undone, after which the email may be sent again. */
    @Test
    void theFieldsOfAPersonAreStoredOnlyAsLongAsTheEmailMayBeSentAgain() {
        Values row = Values.none().with("Name", "Ann").with("Attributes", "{\"city\":\"Ulm\"}");
        RecordedOutcome unknown = new RecordedOutcome("email:a@b.test", Outcome.UNKNOWN, 0, Instant.EPOCH, "", row);
        RecordedOutcome decided = unknown.decidedSent("ada@example.org", Instant.EPOCH);
        RecordedOutcome sent = unknown.reportedSent(0, Instant.EPOCH, "id", null);

        assertThat(unknown.toValues().string("Attributes")).isEqualTo("{\"city\":\"Ulm\"}");
        assertThat(decided.toValues().string("Attributes")).isEqualTo("{\"city\":\"Ulm\"}");
        assertThat(sent.toValues().string("Attributes")).isNull();
        assertThat(sent.toValues().string("Name")).isEqualTo("Ann");
    }

    private static RecordedOutcome recorded(Outcome outcome, int generation) {
        return new RecordedOutcome("email:a@b.test", outcome, generation, Instant.EPOCH, "", Values.none());
    }
}
