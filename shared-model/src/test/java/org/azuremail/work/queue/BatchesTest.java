package org.azuremail.work.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BatchesTest {

    @Test
    void aTypeOnAnotherQueueKeepsItsNumberOfItemsThatTravelTogether() {
        ItemType<String> type = ItemType.json("first", String.class).together(50);

        assertThat(type.on("second").queue()).isEqualTo("second");
        assertThat(type.on("second").together()).isEqualTo(50);
    }

    @Test
    void a61_asManyItemsTravelTogetherAsTheirTypeSuggests() {
        assertThat(Batches.split(Collections.nCopies(10, "x"), 4))
                .extracting(List::size)
                .containsExactly(4, 4, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ItemType.json("queue", String.class).together(0));
    }

    @Test
    @DisplayName("Q16: more than travels together is several batches, and a broken one is refused")
    void q16_batchesAreBounded() {
        List<String> many = Collections.nCopies(Batches.MAX_ITEMS + 1, "x");
        assertThat(Batches.split(many, Batches.MAX_ITEMS))
                .extracting(List::size)
                .containsExactly(Batches.MAX_ITEMS, 1);
        String large = "x".repeat(Batches.MAX_BYTES / 6);
        assertThat(Batches.split(List.of(large, large, large), Batches.MAX_ITEMS))
                .extracting(List::size)
                .containsExactly(2, 1);

        byte[] packed = Batches.pack(List.of("one", "", "drei €"));
        assertThat(Batches.unpack(packed)).containsExactly("one", "", "drei €");
        assertThatIllegalArgumentException().isThrownBy(() -> Batches.unpack(Arrays.copyOf(packed, packed.length - 1)));
    }
}
