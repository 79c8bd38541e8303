package org.azuremail.subscription.transfer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.azuremail.reason.Reason;

/**
 * A CSV file that is read as it streams: UTF-8 with or without a byte order mark, separated by commas, semicolons or tabs,
 * with a header line. It ends with a {@link Broken} where it cannot be read.
 */
final class CsvFile implements AutoCloseable {

    private static final int SNIFFED = 16 * 1024;
    private static final char[] DELIMITERS = {',', ';', '\t'};
    private static final Pattern OPEN_QUOTE = Pattern.compile("startline (\\d[\\d.,\\h]*)\\) EOF reached");
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final RecordGuard guard;
    private final CSVParser parser;
    private final Iterator<CSVRecord> records;
    private final List<String> header;
    private final ImportColumns columns;
    private long line;
    private long end;

    private CsvFile(RecordGuard guard, CSVParser parser) throws Broken {
        this.guard = guard;
        this.parser = parser;
        this.records = parser.iterator();
        CSVRecord header = next();
        if (header == null) {
            throw new Broken(ImportReason.FILE_EMPTY);
        }
        this.header = header.toList();
        this.columns = ImportColumns.of(this.header);
    }

    /** The file cannot be read, or not any further. */
    static final class Broken extends Exception {
        private final transient Reason reason;

        Broken(ImportReason code, Object... values) {
            this(Reason.of(code, values));
        }

        private Broken(Reason reason) {
            super(reason.stored());
            this.reason = reason;
        }

        Reason reason() {
            return reason;
        }
    }

    /**
     * Opens a file and reads its header.
     *
     * @param content closed with this
     */
    static CsvFile open(InputStream content) throws IOException, Broken {
        BufferedInputStream buffered = new BufferedInputStream(content, SNIFFED);
        skipByteOrderMark(buffered);
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter(buffered))
                .setIgnoreEmptyLines(true)
                .get();
        RecordGuard guard = new RecordGuard(new InputStreamReader(
                buffered,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
        return new CsvFile(guard, CSVParser.parse(guard, format));
    }

    ImportColumns columns() {
        return columns;
    }

    /** The headings as they stand in the file. */
    List<String> header() {
        return header;
    }

    /** The line of the file, from 1, in which the row begins that {@link #next()} gave last; blank lines count. */
    long line() {
        return line;
    }

    /** @return {@code null} at the end */
    @org.jspecify.annotations.Nullable
    CSVRecord next() throws Broken {
        guard.recordBegins();
        try {
            CSVRecord record = records.hasNext() ? records.next() : null;
            long lines = parser.getCurrentLineNumber() - end;
            end += lines;
            line = end - (record == null || lines <= 1 ? 0 : breaksIn(record));
            return record;
        } catch (UncheckedIOException | IllegalStateException e) {
            throw broken(e);
        }
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }

    private static long breaksIn(CSVRecord record) {
        return record.stream()
                .mapToLong(cell -> cell.replace("\r\n", "\n")
                        .chars()
                        .filter(c -> c == '\n' || c == '\r')
                        .count())
                .sum();
    }

    private Broken broken(RuntimeException e) {
        Throwable cause = e.getCause();
        long next = end + 1;
        if (cause instanceof CharacterCodingException) {
            return new Broken(ImportReason.FILE_NOT_UTF8, String.valueOf(next));
        }
        if (cause instanceof RecordGuard.RecordTooLong) {
            return new Broken(ImportReason.FILE_LONG_ROW, String.valueOf(end), RecordGuard.MAX_CHARS);
        }
        if (cause instanceof CSVException || (cause instanceof IOException && isSyntax(cause))) {
            return syntax(String.valueOf(cause.getMessage()), next);
        }
        throw e;
    }

    private static Broken syntax(String message, long next) {
        Matcher opened = OPEN_QUOTE.matcher(message);
        if (opened.find()) {
            return new Broken(ImportReason.FILE_OPEN_QUOTE, opened.group(1).replaceAll("\\D", ""));
        }
        return new Broken(ImportReason.FILE_AFTER_QUOTE, String.valueOf(next));
    }

    /** The parser says so with plain exceptions of its own; a broken stream is another matter. */
    private static boolean isSyntax(Throwable cause) {
        return Arrays.stream(cause.getStackTrace())
                .findFirst()
                .map(frame -> frame.getClassName().startsWith("org.apache.commons.csv."))
                .orElse(false);
    }

    private static void skipByteOrderMark(BufferedInputStream content) throws IOException {
        content.mark(BYTE_ORDER_MARK.length);
        byte[] start = content.readNBytes(BYTE_ORDER_MARK.length);
        if (!Arrays.equals(start, BYTE_ORDER_MARK)) {
            content.reset();
        }
    }

    /** What separates most cells of the header line. */
    private static char delimiter(BufferedInputStream content) throws IOException {
        content.mark(SNIFFED);
        String start = new String(content.readNBytes(SNIFFED), StandardCharsets.UTF_8);
        content.reset();
        int[] seen = new int[DELIMITERS.length];
        boolean quoted = false;
        for (int i = 0; i < start.length(); i++) {
            char c = start.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == '\n' || c == '\r')) {
                break;
            }
            for (int d = 0; d < DELIMITERS.length; d++) {
                seen[d] += !quoted && c == DELIMITERS[d] ? 1 : 0;
            }
        }
        int best = 0;
        for (int d = 1; d < DELIMITERS.length; d++) {
            best = seen[d] > seen[best] ? d : best;
        }
        return DELIMITERS[best];
    }

    /** Ends a record that never ends, before it fills the memory. */
    private static final class RecordGuard extends Reader {

        static final int MAX_CHARS = 256 * 1024;

        private final Reader in;
        private long read;

        RecordGuard(Reader in) {
            this.in = in;
        }

        static final class RecordTooLong extends IOException {}

        void recordBegins() {
            read = 0;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            int count = in.read(buffer, offset, length);
            read += Math.max(0, count);
            if (read > MAX_CHARS) {
                throw new RecordTooLong();
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
