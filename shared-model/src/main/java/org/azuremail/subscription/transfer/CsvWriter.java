package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.io.Writer;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes all CSV files (RFC 4180) of the service, for people who open them in a spreadsheet. A cell that a spreadsheet
 * would read as a formula gets an apostrophe in front: one that begins with {@code = + - @}, also full-width, with a
 * tab, a line break or a semicolon. Some spreadsheets separate cells by semicolons or tabs, so a formula after one of
 * these gets an apostrophe, too (OWASP, CSV injection). An import removes these apostrophes.
 */
public record CsvWriter(Writer out) {

    private static final String FULL_WIDTH = "\uFF1D\uFF0B\uFF0D\uFF20";
    private static final String FORMULA = "=+-@" + FULL_WIDTH;
    private static final String SEPARATORS = ";\t\r\n";
    private static final String QUOTED = SEPARATORS + ",\"" + FULL_WIDTH;

    public void writeRow(List<String> cells) throws IOException {
        String separator = "";
        for (String cell : cells) {
            out.write(separator);
            out.write(quoted(cell));
            separator = ",";
        }
        out.write("\r\n");
    }

    /** Writes rows as the stream is consumed. */
    public void writeRows(Stream<List<String>> rows) throws IOException {
        for (Iterator<List<String>> all = rows.iterator(); all.hasNext(); ) {
            writeRow(all.next());
        }
    }

    static String escapeFormulas(String cell) {
        StringBuilder harmless = new StringBuilder(cell.length() + 1);
        for (int i = 0; i < cell.length(); i++) {
            char c = cell.charAt(i);
            boolean begins = i == 0 || SEPARATORS.indexOf(cell.charAt(i - 1)) >= 0;
            if ((begins && FORMULA.indexOf(c) >= 0) || (i == 0 && SEPARATORS.indexOf(c) >= 0)) {
                harmless.append('\'');
            }
            harmless.append(c);
        }
        return harmless.toString();
    }

    /** Returns a cell as it was before {@link #escapeFormulas}. */
    static String unescapeFormulas(String cell) {
        if (cell.indexOf('\'') < 0) {
            return cell;
        }
        StringBuilder plain = new StringBuilder(cell.length());
        for (int i = 0; i < cell.length(); i++) {
            boolean begins = i == 0 || SEPARATORS.indexOf(cell.charAt(i - 1)) >= 0;
            char next = i + 1 < cell.length() ? cell.charAt(i + 1) : ' ';
            boolean added = begins && (FORMULA.indexOf(next) >= 0 || (i == 0 && SEPARATORS.indexOf(next) >= 0));
            if (cell.charAt(i) != '\'' || !added) {
                plain.append(cell.charAt(i));
            }
        }
        return plain.toString();
    }

    private static String quoted(String cell) {
        String harmless = escapeFormulas(cell);
        return needsQuotes(harmless) ? '"' + harmless.replace("\"", "\"\"") + '"' : harmless;
    }

    /** Returns whether a program might split the cell or trim it. */
    private static boolean needsQuotes(String cell) {
        return !cell.isEmpty()
                && (cell.charAt(0) <= ' '
                        || cell.charAt(cell.length() - 1) <= ' '
                        || cell.chars().anyMatch(c -> QUOTED.indexOf(c) >= 0 || c < ' '));
    }
}
