package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.StorageException.Reason;
import org.junit.jupiter.api.Test;

class ConditionalWritesTest {

    private final AtomicInteger rounds = new AtomicInteger();

    @Test
    void refusedWriteStartsAnotherRound() {
        String result = ConditionalWrites.retry(
                "row x", () -> rounds.incrementAndGet() < 3 ? Optional.empty() : Optional.of("written"));

        assertThat(result).isEqualTo("written");
        assertThat(rounds).hasValue(3);
    }

    @Test
    void afterTwoHundredRoundsTheRowKeepsChanging() {
        assertThatThrownBy(() -> ConditionalWrites.retryUntilDone("row x", () -> rounds.incrementAndGet() < 0))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("row x keeps changing");
        assertThat(rounds).hasValue(200);
    }

    @Test
    void lostAnswerEndsAnUpdateThatCannotRecogniseItsOwnWrite() {
        assertThatThrownBy(() -> ConditionalWrites.retryUntilDone("row x", this::lost))
                .isInstanceOf(StorageException.class);
        assertThat(rounds).hasValue(1);
    }

    @Test
    void roundMayRecogniseItsOwnWriteAfterALostAnswer() {
        ConditionalWrites.retryIdempotentUntilDone("row x", () -> rounds.get() == 1 || lost());

        assertThat(rounds).hasValue(1);
    }

    @Test
    void twoLostAnswersInARowEndTheUpdate() {
        assertThatThrownBy(() -> ConditionalWrites.retryIdempotentUntilDone("row x", this::lost))
                .isInstanceOf(StorageException.class);
        assertThat(rounds).hasValue(2);
    }

    @Test
    void lostAnswersBetweenRefusalsDoNotAddUp() {
        ConditionalWrites.retryIdempotentUntilDone("row x", () -> {
            boolean even = rounds.get() % 2 == 0;
            return even && rounds.get() < 20 ? lost() : rounds.incrementAndGet() > 20;
        });

        assertThat(rounds).hasValue(21);
    }

    private boolean lost() {
        rounds.incrementAndGet();
        throw new StorageException(Reason.TIMED_OUT, "no answer", null);
    }
}
