package org.azuremail.delivery.range;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.Test;

/** Checks the form of keys, which must never change because data files contain them. */
class KeysOfRangesTest {

    @Test
    void keysSortAsTheirNumbersDo() {
        assertThat(new ShardKey(new MessageRef(7), 12).partition()).isEqualTo("mail.12.000000000000000007");
        assertThat(new ShardKey(new MessageRef(999_999_999_999_999_999L), 0).partition())
                .isEqualTo("mail.0.999999999999999999");
        assertThat(row(0)).isEqualTo("!range00000");
        assertThat(row(1020)).isEqualTo("!range01020");
        assertThat(row(99_999)).isEqualTo("!range99999");
        assertThat(row(123_456)).isEqualTo("!range123456");
    }

    private static String row(int number) {
        return new RangeKey(new ShardKey(new MessageRef(1), 0), number).row();
    }
}
