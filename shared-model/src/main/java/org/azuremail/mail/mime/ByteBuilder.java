package org.azuremail.mail.mime;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow; for one thread. */
final class ByteBuilder {

    private byte[] bytes;
    private int length;

    ByteBuilder(int expected) {
        bytes = new byte[Math.max(64, expected)];
    }

    ByteBuilder append(int b) {
        room(1);
        bytes[length++] = (byte) b;
        return this;
    }

    ByteBuilder append(byte[] more) {
        room(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
        return this;
    }

    ByteBuilder append(String text) {
        return append(text.getBytes(StandardCharsets.UTF_8));
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }
}
