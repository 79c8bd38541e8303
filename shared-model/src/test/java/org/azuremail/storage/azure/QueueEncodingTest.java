package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.storage.QueueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueEncodingTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "2012-10-15,7,@3:17,0", "für \uD83D\uDE80", "\u0000\uffff"})
    void encodedTextIsDecoded(String text) {
        assertThat(AzureQueueStore.decode(AzureQueueStore.encode(text))).isEqualTo(text);
    }

    @Test
    void largestItemFitsAMessage() {
        assertThat(AzureQueueStore.encode("x".repeat(QueueStore.MAX_TEXT_BYTES)))
                .hasSize(64 * 1024);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not base64", "{\"json\":1}", "test", "/w==", "eA==\n"})
    void textThatIsNotBase64OfUtf8IsUnchanged(String wire) {
        assertThat(AzureQueueStore.decode(wire)).isEqualTo(wire);
    }
}
