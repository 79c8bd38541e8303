package org.azuremail.subscription.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.LIST;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks the count of values that do not fit a new type of their field. */
class MisfitCounterTest extends OnIndexedList {

    @Test
    void misfitsAreCountedAndNamedBeforeATypeChanges() {
        index().count(world.list(), BIRTHDAY);

        MisfitCounter.MisfitCount misfits = index().fits().find(LIST).orElseThrow();
        assertThat(misfits.finishedAt()).isNotNull();
        assertThat(misfits.rows()).isEqualTo(4);
        assertThat(misfits.values()).isEqualTo(3);
        assertThat(misfits.misfits()).isEqualTo(1);
        assertThat(misfits.examples()).isEqualTo(Map.of("cy@example.org", "in spring"));
        assertThat(value("ann@example.org")).isEqualTo("29 Feb");
    }

    @Test
    void aMisfitThatIsCutInTheMiddleOfAnEmojiIsNamedWithoutIt() {
        edit("cy@example.org", Map.of("birthday", "s".repeat(99) + "\uD83D\uDE00 in spring"));

        index().count(world.list(), BIRTHDAY);

        MisfitCounter.MisfitCount misfits = index().fits().find(LIST).orElseThrow();
        assertThat(misfits.finishedAt()).isNotNull();
        assertThat(misfits.examples()).isEqualTo(Map.of("cy@example.org", "s".repeat(99)));
    }
}
