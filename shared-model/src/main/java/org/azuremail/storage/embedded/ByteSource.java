package org.azuremail.storage.embedded;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the bytes of a {@link ByteSink}, and throws a {@link RuntimeException} when it cannot. */
final class ByteSource {

    private final byte[] bytes;
    private int at;

    ByteSource(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    byte next() {
        return bytes[at++];
    }

    String text() {
        int begin = skip(length());
        return new String(bytes, begin, at - begin, StandardCharsets.UTF_8);
    }

    byte[] block() {
        int begin = skip(length());
        return Arrays.copyOfRange(bytes, begin, at);
    }

    private int length() {
        return (int) unsigned();
    }

    /** Skips so many bytes and returns the position of the first of them. */
    private int skip(int length) {
        if (length < 0 || length > bytes.length - at) {
            throw new IllegalArgumentException("something of " + length + " bytes is cut off");
        }
        int begin = at;
        at += length;
        return begin;
    }

    long number() {
        long zigzag = unsigned();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    long fixed() {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << Byte.SIZE | (next() & 0xFFL);
        }
        return value;
    }

    private long unsigned() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = next();
            number |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number does not end");
    }
}
