package org.azuremail.storage.embedded;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

final class ByteSink {

    private byte[] bytes;
    private int size;

    ByteSink(int expected) {
        this.bytes = new byte[expected];
    }

    void put(byte value) {
        makeRoom(1);
        bytes[size++] = value;
    }

    void putBlock(byte[] block) {
        putUnsigned(block.length);
        makeRoom(block.length);
        System.arraycopy(block, 0, bytes, size, block.length);
        size += block.length;
    }

    /** Puts the UTF-8 form of a text, as {@link #putBlock} does. */
    void putText(String text) {
        putBlock(text.getBytes(StandardCharsets.UTF_8));
    }

    void putNumber(long number) {
        putUnsigned((number << 1) ^ (number >> 63));
    }

    void putFixed(long value) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            put((byte) (value >>> shift));
        }
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void putUnsigned(long number) {
        makeRoom(10);
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void makeRoom(int count) {
        if (size + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + count));
        }
    }
}
