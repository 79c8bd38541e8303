package org.azuremail.subscription.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Finds out how a file is written while it streams by, in constant memory. A byte order mark decides; without one a file with
 * a zero in at least every fourth byte is UTF-16, in the order that puts most zeros first or second. Anything else is UTF-8 if
 * all of it is well-formed UTF-8, which other text practically never is, and Windows-1252 if not.
 */
final class EncodingSearch extends FilterInputStream {

    private static final int NONE = -1;

    private long read;
    private int first = NONE;
    private int second = NONE;
    private final long[] zeros = new long[2];
    private boolean utf8 = true;

    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final ByteBuffer undecoded = ByteBuffer.allocate(8 * 1024);
    private final CharBuffer decoded = CharBuffer.allocate(8 * 1024);

    EncodingSearch(InputStream in) {
        super(in);
    }

    /** The encoding, once all of the file was read. */
    FileEncoding found() {
        if (first == 0xFF && second == 0xFE) {
            return FileEncoding.UTF_16LE;
        }
        if (first == 0xFE && second == 0xFF) {
            return FileEncoding.UTF_16BE;
        }
        if (read >= 2 && (zeros[0] + zeros[1]) * 4 >= read) {
            return zeros[1] >= zeros[0] ? FileEncoding.UTF_16LE : FileEncoding.UTF_16BE;
        }
        decode();
        return utf8 && undecoded.position() == 0 ? FileEncoding.UTF_8 : FileEncoding.WINDOWS_1252;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        if (b >= 0) {
            look((byte) b);
        }
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        for (int i = 0; i < count; i++) {
            look(buffer[offset + i]);
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void look(byte b) {
        if (read == 0) {
            first = b & 0xFF;
        } else if (read == 1) {
            second = b & 0xFF;
        }
        if (b == 0) {
            zeros[(int) (read & 1)]++;
        }
        read++;
        if (utf8) {
            undecoded.put(b);
            if (!undecoded.hasRemaining()) {
                decode();
            }
        }
    }

    /** Leaves a character that is not complete for the next time. */
    private void decode() {
        undecoded.flip();
        utf8 &= !decoder.decode(undecoded, decoded.clear(), false).isError();
        undecoded.compact();
    }
}
