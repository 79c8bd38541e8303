package org.azuremail.list;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Checks which characters texts and names may contain, and how long they may be. */
class MailingListTextTest {

    @Test
    void aTextHoldsEveryCharacterButControlsAndHalves() {
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            boolean control = c < ' ' || (c >= 127 && c < 160);
            boolean half = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            boolean lineBreakOrTab = c == '\n' || c == '\t';

            assertThat(MailingList.isText("a" + c)).as("%04x", (int) c).isEqualTo(lineBreakOrTab || !control && !half);
            assertThat(MailingList.isLine(c + "a")).as("%04x", (int) c).isEqualTo(!control && !half);
        }
        assertThat(MailingList.isText("one 🎉 two")).isTrue();
        assertThat(MailingList.isText("one 🎉 two\u0007")).isFalse();
        assertThat(MailingList.isText("")).isTrue();
    }

    @Test
    void aLineHasAnEnd() {
        assertThat(MailingList.isLine("x".repeat(MailingList.MAX_LINE))).isTrue();
        assertThat(MailingList.isLine("x".repeat(MailingList.MAX_LINE + 1))).isFalse();
    }

    @Test
    void anAttributeIsNamedWithSmallLettersDigitsAndTwoSigns() {
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            assertThat(MailingList.isAttribute("a" + c))
                    .as("%04x", (int) c)
                    .isEqualTo("abcdefghijklmnopqrstuvwxyz0123456789_-".indexOf(c) >= 0);
        }
        assertThat(MailingList.isAttribute("")).isFalse();
        assertThat(MailingList.isAttribute("x".repeat(64))).isTrue();
        assertThat(MailingList.isAttribute("x".repeat(65))).isFalse();
    }
}
