package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;

/**
 * The characters of a file without its byte order mark. Before it fails on malformed bytes, it returns the text in
 * front of them, so that {@link #line()} gives their position. It also fails on a record that is too long for the
 * memory.
 */
final class DecodedFile extends Reader {

    static final int MAX_CHARS = 256 * 1024;

    private static final int BUFFERED = 16 * 1024;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final InputStream in;
    private final CharsetDecoder decoder;
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFERED).flip();
    private final CharBuffer chars = CharBuffer.allocate(BUFFERED).flip();
    private boolean ended;
    private boolean broken;
    private boolean exhausted;
    private long blankLines;
    private long recordLength;
    private boolean onlyBreaks = true;
    private long line = 1;
    private char last;

    DecodedFile(InputStream in, FileEncoding encoding) {
        this.in = in;
        this.decoder = encoding.charset()
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    /** A record, or the blank lines between two records, exceeds {@link #MAX_CHARS} characters. */
    static final class RecordTooLongException extends IOException {

        private final boolean blank;

        private RecordTooLongException(boolean blank) {
            this.blank = blank;
        }

        /** Returns whether only line breaks were read so far, possibly after the beginning of a quoted cell. */
        boolean blank() {
            return blank;
        }
    }

    /**
     * Returns the beginning of the file after its first blank lines, which contains the header line of every reasonable
     * file. Reading still returns those blank lines, so that lines are counted correctly, but they do not count as part
     * of a record. Call this once, before reading.
     */
    CharSequence peekHeader() throws IOException {
        if (fill() && chars.get(chars.position()) == BYTE_ORDER_MARK) {
            chars.get();
        }
        while ((chars.hasRemaining() || fill()) && isBreak(chars.get(chars.position()))) {
            char c = chars.get();
            blankLines += c == '\r' || last != '\r' ? 1 : 0;
            last = c;
        }
        last = 0;
        if (blankLines > 0) {
            chars.compact();
            decode();
            chars.flip();
        }
        return chars.asReadOnlyBuffer();
    }

    /** Returns the line of the next character, from 1. */
    long line() {
        return line + blankLines;
    }

    /** Returns whether the reader has asked for more than the last character. */
    boolean exhausted() {
        return exhausted;
    }

    void recordBegins() {
        recordLength = 0;
        onlyBreaks = true;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (blankLines > 0) {
            int count = (int) Math.min(length, blankLines);
            Arrays.fill(buffer, offset, offset + count, '\n');
            blankLines -= count;
            line += count;
            return count;
        }
        if (!chars.hasRemaining() && !fill()) {
            exhausted = true;
            return -1;
        }
        int count = Math.min(length, chars.remaining());
        chars.get(buffer, offset, count);
        countLines(buffer, offset, count);
        recordLength += count;
        if (recordLength > MAX_CHARS) {
            throw new RecordTooLongException(onlyBreaks);
        }
        return count;
    }

    private void countLines(char[] buffer, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            char c = buffer[i];
            line += c == '\r' || (c == '\n' && last != '\r') ? 1 : 0;
            last = c;
            onlyBreaks &= isBreak(c);
        }
    }

    private static boolean isBreak(char c) {
        return c == '\n' || c == '\r';
    }

    /** @return whether any characters are left */
    private boolean fill() throws IOException {
        chars.clear();
        while (chars.position() == 0) {
            if (broken) {
                chars.flip();
                throw new CharacterCodingException();
            }
            if (ended && !bytes.hasRemaining()) {
                break;
            }
            decode();
        }
        chars.flip();
        return chars.hasRemaining();
    }

    private void decode() throws IOException {
        readBytes();
        CoderResult result = decoder.decode(bytes, chars, ended);
        broken = result.isError();
    }

    private void readBytes() throws IOException {
        bytes.compact();
        if (!ended && bytes.hasRemaining()) {
            int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
            ended = count < 0;
            bytes.position(bytes.position() + Math.max(0, count));
        }
        bytes.flip();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
