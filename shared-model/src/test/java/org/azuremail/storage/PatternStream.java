package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;

/**
 * A stream of a given length, whose bytes depend only on the seed and the position. They are created as they are read.
 */
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
            target[offset + i] = at(position + i);
        }
        position += read;
        return read;
    }

    /** Checks that the content equals the rest of this stream. */
    public void assertIs(InputStream content) throws IOException {
        byte[] expected;
        do {
            expected = readNBytes(64 * 1024);
            assertThat(content.readNBytes(64 * 1024)).isEqualTo(expected);
        } while (expected.length > 0);
    }

    private byte at(long index) {
        long mixed = (index + 1) * 0x9E3779B97F4A7C15L + seed * 0xC2B2AE3D27D4EB4FL;
        return (byte) (mixed >>> 56);
    }
}
