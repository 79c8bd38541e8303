package org.azuremail.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.field.FieldType;
import org.azuremail.list.OptIn;
import org.azuremail.mailclass.Plan;
import org.azuremail.message.Outcome;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.transfer.FileEncoding;
import org.junit.jupiter.api.Test;

/**
 * Checks that words from outside are read ignoring the case of ASCII letters only, not of a long s or the Kelvin sign.
 */
class AsciiWordTest {

    @Test
    void wordsInAnyCaseAreRead() {
        assertThat(OptIn.parse(" Single ")).contains(OptIn.SINGLE);
        assertThat(Plan.parse("FEE-paying")).contains(Plan.FEE_PAYING);
        assertThat(FieldType.parse("Yes_No")).contains(FieldType.YES_NO);
        assertThat(OutcomeGroup.of("sKipped")).contains(OutcomeGroup.SKIPPED);
        assertThat(OutcomeGroup.of(null)).isEmpty();
        assertThat(Outcome.of("UNKNOWN")).isEqualTo(Outcome.UNKNOWN);
        assertThat(SubscriberState.of("SUBSCRIBED")).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(FileEncoding.parse("Windows-1252")).contains(FileEncoding.WINDOWS_1252);
        assertThat(EventLevel.parse("Warning")).contains(EventLevel.WARNING);
    }

    @Test
    void lettersOutsideAsciiAreNotFolded() {
        assertThat(OptIn.parse("\u017Fingle")).isEmpty();
        assertThat(FieldType.parse("ye\u017F_no")).isEmpty();
        assertThat(OutcomeGroup.of("\u017Fent")).isEmpty();
        assertThat(OutcomeGroup.of("s\u212Aipped")).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Outcome.of("un\u212Anown"));
        assertThatIllegalArgumentException().isThrownBy(() -> SubscriberState.of("\u017Fubscribed"));
        assertThat(FileEncoding.parse("window\u017F-1252")).isEmpty();
        assertThat(FileEncoding.parse("w\u0131ndows-1252")).isEmpty();
        assertThat(Plan.parse("fee-pay\u0130ng")).isEmpty();
    }

    @Test
    void digitsOfEveryScriptBecomeAsciiDigits() {
        assertThat(AsciiWord.digits("٣٠ ۱۲ १० ๙ 5 a-½Ⅷ²")).isEqualTo("30 12 10 9 5 a-½Ⅷ²");
    }
}
