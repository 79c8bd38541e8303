package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValuesTest {

    @Test
    void whatIsPutAfterwardsDoesNotChangeWhatWasBuilt() {
        Values.Builder builder = Values.builder().put("a", 1);
        Values first = builder.build();
        Values second = builder.put("b", 2).build();
        Values third = builder.put("a", null).build();

        assertThat(first.asMap()).containsOnlyKeys("a");
        assertThat(second.asMap()).containsOnlyKeys("a", "b");
        assertThat(third.asMap()).containsOnlyKeys("b");
    }

    @Test
    void aCopyWithAnotherValueLeavesTheFirstAlone() {
        Values first = Values.of("a", 1);

        assertThat(first.with("a", 2).integer("a", 0)).isEqualTo(2);
        assertThat(first.integer("a", 0)).isEqualTo(1);
    }
}
