package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.transport.smtp.SmtpReply.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which addresses a command can carry. */
class EnvelopeTest {

    @Test
    void quotedAddressTravelsAsItIs() {
        assertThat(new Envelope("a@x.test", "\"a <b\"@x.test").command(Stage.RCPT))
                .isEqualTo("RCPT TO:<\"a <b\"@x.test>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"<a@x.test>", "a @x.test", "\"a\"> SIZE=1 <\"b\"@x.test", "\"a\"@x .test", "\"a\tb\"@x.test"})
    void nothingLeavesTheBrackets(String address) {
        assertThat(Envelope.isTransmittable(address)).isFalse();
    }
}
