package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file that is read as it streams: in any {@link FileEncoding}, with or without a byte order mark, separated by
 * commas, semicolons or tabs, with a header line. In front of it, there may be Excel's line {@code sep=;}, which names
 * the separator. If the file cannot be read, it throws an {@link ImportRefusedException}.
 */
final class CsvFile implements AutoCloseable {

    private static final List<String> SEPARATOR_LINE = List.of("sep=", "");
    private static final Pattern OPEN_QUOTE = Pattern.compile("startline ([^)]*)\\)");
    private static final Pattern NO_DIGITS = Pattern.compile("\\D", Pattern.UNICODE_CHARACTER_CLASS);

    /** The separator of cells. Stored reasons contain its ordinal number. */
    enum Delimiter {
        COMMA(','),
        SEMICOLON(';'),
        TAB('\t');

        private final char character;

        Delimiter(char character) {
            this.character = character;
        }
    }

    private final DecodedFile decoded;
    private final FileEncoding encoding;
    private final CSVParser parser;
    private final Iterator<CSVRecord> records;
    private final List<String> header;
    private final ImportColumns columns;
    private long line;
    private long end;

    private CsvFile(DecodedFile decoded, FileEncoding encoding, Delimiter delimiter, CSVParser parser)
            throws ImportRefusedException {
        this.decoded = decoded;
        this.encoding = encoding;
        this.parser = parser;
        this.records = parser.iterator();
        CSVRecord header = next();
        if (header != null && header.toList().equals(SEPARATOR_LINE)) {
            header = next();
        }
        if (header == null) {
            throw new ImportRefusedException(ImportReason.FILE_EMPTY);
        }
        this.header = header.toList();
        this.columns = ImportColumns.of(this.header, delimiter);
    }

    /**
     * Opens a file and reads its header.
     *
     * @param content the content, which is closed with this file
     */
    static CsvFile open(InputStream content, FileEncoding encoding) throws IOException, ImportRefusedException {
        DecodedFile decoded = new DecodedFile(content, encoding);
        Delimiter delimiter;
        try {
            delimiter = delimiter(decoded.peekHeader());
        } catch (CharacterCodingException e) {
            throw notInEncoding(encoding, decoded.line());
        }
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter.character)
                .setIgnoreEmptyLines(true)
                .get();
        return new CsvFile(decoded, encoding, delimiter, CSVParser.parse(decoded, format));
    }

    ImportColumns columns() {
        return columns;
    }

    List<String> header() {
        return header;
    }

    /** Returns the line of the file, from 1, in which the last row from {@link #next()} begins; blank lines count. */
    long line() {
        return line;
    }

    /** @return {@code null} at the end */
    @Nullable
    CSVRecord next() throws ImportRefusedException {
        decoded.recordBegins();
        try {
            CSVRecord record = records.hasNext() ? records.next() : null;
            long lines = parser.getCurrentLineNumber() - end;
            end += lines;
            line = end - (record == null || lines <= 1 ? 0 : breaksIn(record));
            return record;
        } catch (UncheckedIOException | IllegalStateException e) {
            throw refusal(e);
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

    private ImportRefusedException refusal(RuntimeException e) {
        Throwable cause = e.getCause();
        if (cause instanceof CharacterCodingException) {
            return notInEncoding(encoding, decoded.line());
        }
        if (cause instanceof DecodedFile.RecordTooLongException tooLong) {
            return tooLong.blank()
                    ? new ImportRefusedException(ImportReason.FILE_BLANK_LINES, String.valueOf(end))
                    : new ImportRefusedException(
                            ImportReason.FILE_LONG_ROW, String.valueOf(end), DecodedFile.MAX_CHARS);
        }
        if (cause instanceof CSVException fault) {
            return syntax(fault);
        }
        throw e;
    }

    private static ImportRefusedException notInEncoding(FileEncoding encoding, long line) {
        return encoding == FileEncoding.UTF_8
                ? new ImportRefusedException(ImportReason.FILE_NOT_UTF8, String.valueOf(line))
                : new ImportRefusedException(ImportReason.FILE_NOT_ENCODED, String.valueOf(line), encoding.stored());
    }

    /**
     * An open quote takes the parser to the end of the file; only its message names the line of the quote, in the
     * digits and with the separators of the machine's language.
     */
    private ImportRefusedException syntax(CSVException e) {
        if (!decoded.exhausted()) {
            return new ImportRefusedException(
                    ImportReason.FILE_AFTER_QUOTE, String.valueOf(parser.getCurrentLineNumber()));
        }
        Matcher named = OPEN_QUOTE.matcher(String.valueOf(e.getMessage()));
        String line = named.find() ? NO_DIGITS.matcher(named.group(1)).replaceAll("") : "";
        return new ImportRefusedException(
                ImportReason.FILE_OPEN_QUOTE, String.valueOf(line.isEmpty() ? end + 1 : Long.parseLong(line)));
    }

    /** Returns the delimiter that separates most cells of the header line. */
    private static Delimiter delimiter(CharSequence start) {
        int[] seen = new int[Delimiter.values().length];
        boolean quoted = false;
        boolean begun = false;
        for (int i = 0; i < start.length(); i++) {
            char c = start.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == '\n' || c == '\r') && begun) {
                break;
            }
            begun |= c > ' ';
            for (Delimiter one : Delimiter.values()) {
                seen[one.ordinal()] += !quoted && c == one.character ? 1 : 0;
            }
        }
        Delimiter best = Delimiter.COMMA;
        for (Delimiter one : Delimiter.values()) {
            best = seen[one.ordinal()] > seen[best.ordinal()] ? one : best;
        }
        return best;
    }
}
