package org.azuremail.subscription.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Detects the encoding of a file as it streams by, in constant memory, and limits its length. A byte order mark
 * decides. Without one, a file of which at least every fourth byte is zero is UTF-16, with the byte order that the
 * position of most zeros suggests. Any other file is UTF-8 if all of it is well-formed UTF-8, which other text
 * practically never is, and otherwise Windows-1252.
 */
final class EncodingDetector extends FilterInputStream {

    private static final int NONE = -1;

    private final long max;
    private long read;
    private int first = NONE;
    private int second = NONE;
    private final long[] zeros = new long[2];
    private boolean utf8 = true;

    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final ByteBuffer undecoded = ByteBuffer.allocate(8 * 1024);
    private final CharBuffer decoded = CharBuffer.allocate(8 * 1024);

    /** @param max the most bytes */
    EncodingDetector(InputStream in, long max) {
        super(in);
        this.max = max;
    }

    /** The file is longer than the limit. */
    static final class FileTooLargeException extends IOException {}

    /** Returns the encoding, once the whole file has been read. */
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
            count((byte) b);
        }
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        for (int i = 0; i < count; i++) {
            count(buffer[offset + i]);
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(byte b) throws FileTooLargeException {
        if (read == 0) {
            first = b & 0xFF;
        } else if (read == 1) {
            second = b & 0xFF;
        }
        if (b == 0) {
            zeros[(int) (read & 1)]++;
        }
        read++;
        if (read > max) {
            throw new FileTooLargeException();
        }
        if (utf8) {
            undecoded.put(b);
            if (!undecoded.hasRemaining()) {
                decode();
            }
        }
    }

    /**
     * Decodes the bytes read so far, except for an incomplete character at the end, which is kept for the next call.
     */
    private void decode() {
        undecoded.flip();
        utf8 &= !decoder.decode(undecoded, decoded.clear(), false).isError();
        undecoded.compact();
    }
}
