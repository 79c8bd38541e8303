package org.azuremail.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Bytes of a connection, looked at where they were read to. */
final class Input {

    private final InputStream in;
    private byte[] bytes = new byte[256 * 1024];
    private int from;
    private int to;

    Input(InputStream in) {
        this.in = in;
    }

    /** Returns the bytes that were read. Call it after {@link #take}, which returns the offset and may move the array. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns whether something that was read is not taken yet. */
    boolean pending() {
        return from < to;
    }

    /** Takes so many bytes and says where they begin. */
    int take(int count) throws IOException {
        while (to - from < count) {
            fill(count);
        }
        int start = from;
        from += count;
        return start;
    }

    /** Bytes up to the end of this mark, which are not taken; -1 when the connection ended before. */
    int lengthTo(byte[] mark) throws IOException {
        int at = from;
        while (true) {
            for (; at + mark.length <= to; at++) {
                if (bytes[at] == mark[0] && Arrays.equals(bytes, at, at + mark.length, mark, 0, mark.length)) {
                    return at + mark.length - from;
                }
            }
            int seen = at - from;
            try {
                fill(to - from + 1);
            } catch (EOFException end) {
                return -1;
            }
            at = from + seen;
        }
    }

    private void fill(int wanted) throws IOException {
        if (from == to) {
            from = 0;
            to = 0;
        }
        if (bytes.length - from < Math.max(wanted, to - from + 1)) {
            byte[] larger = wanted > bytes.length ? new byte[Math.max(bytes.length * 2, wanted)] : bytes;
            System.arraycopy(bytes, from, larger, 0, to - from);
            to -= from;
            from = 0;
            bytes = larger;
        }
        int read = in.read(bytes, to, bytes.length - to);
        if (read < 0) {
            throw new EOFException("the connection ended");
        }
        to += read;
    }
}
