package org.azuremail.storage;

import java.io.InputStream;

/** A stream of so many bytes that depend on the seed and the position alone, made as they are read. */
public final class PatternStream extends InputStream {

    private final int seed;
    private final long length;
    private long position;

    public PatternStream(int seed, long length) {
        this.seed = seed;
        this.length = length;
    }

    @Override
    public int read() {
        return position == length ? -1 : at(position++) & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
        if (position == length && count > 0) {
            return -1;
        }
        int read = (int) Math.min(count, length - position);
        for (int i = 0; i < read; i++) {
            target[offset + i] = at(position++);
        }
        return read;
    }

    private byte at(long index) {
        long mixed = (index + 1) * 0x9E3779B97F4A7C15L + seed * 0xC2B2AE3D27D4EB4FL;
        return (byte) (mixed >>> 56);
    }
}
