package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineSeparatorEscapingTest {

    private static String part(int length, String json) {
        return "--changeset_1\r\nContent-Type: application/http\r\n\r\nPUT http://x/t HTTP/1.1\r\nContent-Length: "
                + length + "\r\nAccept: application/json\r\n\r\n" + json + "\r\n";
    }

    @Test
    void contentLengthsOfEscapedPartsGrow() {
        String plain = part(9, "{\"A\":\"b\"}");

        assertThat(LineSeparatorEscaping.escapeInBatch(
                        plain + part(17, "{\"A\":\"b\u2028c\u2029\u2028\"}") + plain + part(12, "{\"\u2029\":\"ß\"}")))
                .isEqualTo(plain
                        + part(26, "{\"A\":\"b\\u2028c\\u2029\\u2028\"}")
                        + plain
                        + part(15, "{\"\\u2029\":\"ß\"}"));
    }

    @Test
    void textThatLooksLikeAHeaderIsNotAHeader() {
        String json = "{\"A\":\"\\r\\nContent-Length: 3\\r\\n\\r\\n\u2028\"}";

        assertThat(LineSeparatorEscaping.escapeInBatch(part(50, json)))
                .isEqualTo(part(53, json.replace("\u2028", "\\u2028")));
    }
}
