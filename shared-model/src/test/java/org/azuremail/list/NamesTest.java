package org.azuremail.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the names of lists and segments. */
class NamesTest {

    @Test
    void aNameIsFoldedToLowerCase() {
        assertThat(ListName.parse(" Campus_NEWS1 ")).contains(new ListName("campus_news1"));
        assertThat(new ListName("K").value()).isEqualTo("k");
        assertThat(SegmentName.parse("VIP_s")).contains(new SegmentName("vip_s"));
    }

    /** The lower case of the Kelvin sign is the letter k of ASCII. */
    @ParameterizedTest
    @ValueSource(strings = {"\u212Aelvin", "\u017Fegment", "\u0130stanbul", "\u0131", "stra\u00dfe", "\uff4b"})
    void aLetterOutsideAsciiIsRefusedAlsoWhereItsLowerCaseIsNot(String name) {
        assertThat(ListName.parse(name)).isEmpty();
        assertThat(SegmentName.parse(name)).isEmpty();
        assertThatThrownBy(() -> new ListName(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SegmentName(name)).isInstanceOf(IllegalArgumentException.class);
    }
}
