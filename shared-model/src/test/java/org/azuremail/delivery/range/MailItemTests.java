package org.azuremail.delivery.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A1 and A48: the four fields of a work item. */
class MailItemTests {

    @Test
    void a48_aRangeTravelsInTheThirdField() {
        RangeKey range = new RangeKey(new ShardKey(new MessageRef(634852858215726983L), 3), 17);

        String text = MailItem.range("2012-10-15", range, false).text();

        assertThat(text).isEqualTo("2012-10-15,634852858215726983,@3:17,0");
        assertThat(MailItem.parse(text).range()).isEqualTo(range);
    }

    @Test
    void a48_theSourcesOwnFormIsAccepted() {
        MailItem item = MailItem.parse("2012-10-15,634852858215726983,student1@contoso.edu,1");

        assertThat(item.isRange()).isFalse();
        assertThat(item.whom()).isEqualTo("student1@contoso.edu");
        assertThat(item.requeued()).isTrue();
    }

    @Test
    void defect15_anAddressMayHoldCommas() {
        String text = "2012-10-15,7,\"last, first\"@contoso.edu,0";

        assertThat(MailItem.parse(text).whom()).isEqualTo("\"last, first\"@contoso.edu");
        assertThat(MailItem.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2012-10-15",
                "2012-10-15,7,0",
                "2012-10-15,7,,0",
                "2012-10-15,0,a@b.test,0",
                "2012-10-15,x,a@b.test,0",
                "2012-13-15,7,a@b.test,0",
                "2012-10-15,7,a@b.test,2",
                "2012-10-15,7,@3,0",
                "2012-10-15,7,@3:x,0"
            })
    void anInvalidWorkItemIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> MailItem.parse(text));
    }
}
