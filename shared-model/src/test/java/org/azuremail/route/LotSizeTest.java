package org.azuremail.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LotSizeTest {

    private final LotSize size = new LotSize();

    @Test
    void aProviderThatAnswersAtOnceGetsWhatOneBatchRecords() {
        answers(Duration.ofMillis(5), 100);

        assertThat(size.of(250)).isEqualTo(99);
        assertThat(size.of(1000)).isEqualTo(99);
        assertThat(size.of(4)).as("never more than it takes").isEqualTo(4);
    }

    @Test
    void aSlowOneGetsAsMuchAsItTakes() {
        answers(Duration.ofMillis(200), 100);

        assertThat(size.of(250)).isEqualTo(250);
        assertThat(size.of(1000)).isBetween(950, 1000);
    }

    @Test
    void oneSlowAnswerChangesLittleAndQuickOnesMakeItSmallAgain() {
        answers(Duration.ofMillis(5), 100);
        answers(Duration.ofMillis(100), 1);
        assertThat(size.of(1000)).isEqualTo(99);

        answers(Duration.ofSeconds(2), 100);
        answers(Duration.ofMillis(5), 100);
        assertThat(size.of(1000)).isEqualTo(99);
    }

    private void answers(Duration each, int times) {
        for (int i = 0; i < times; i++) {
            size.took(each);
        }
    }
}
