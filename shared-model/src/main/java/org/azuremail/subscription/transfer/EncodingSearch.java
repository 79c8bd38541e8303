package org.azuremail.subscription.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

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

    /** Of the UTF-8 sequence under way: how many bytes are missing, and between which values the next must be. */
    private int missing;

    private int least;
    private int most;

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
        return utf8 && missing == 0 ? FileEncoding.UTF_8 : FileEncoding.WINDOWS_1252;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        if (b >= 0) {
            look(b);
        }
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        for (int i = 0; i < count; i++) {
            look(buffer[offset + i] & 0xFF);
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void look(int b) {
        if (read == 0) {
            first = b;
        } else if (read == 1) {
            second = b;
        }
        if (b == 0) {
            zeros[(int) (read & 1)]++;
        }
        read++;
        if (utf8) {
            utf8 = missing == 0 ? begins(b) : goesOn(b);
        }
    }

    private boolean goesOn(int b) {
        boolean fits = b >= least && b <= most;
        missing--;
        least = 0x80;
        most = 0xBF;
        return fits;
    }

    /** The table of well-formed sequences: The Unicode Standard, table 3-7. */
    private boolean begins(int b) {
        if (b < 0x80) {
            return true;
        }
        missing = b >= 0xF0 ? 3 : b >= 0xE0 ? 2 : 1;
        least = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
        most = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
        return b >= 0xC2 && b <= 0xF4;
    }
}
