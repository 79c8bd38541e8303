package org.azuremail.subscription;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes CSV for people who open it in a spreadsheet: a cell that a spreadsheet would take for a formula gets a quote in
 * front (OWASP, CSV injection).
 */
final class CsvOut {

    private static final String FORMULA = "=+-@\t\r";

    private final CSVPrinter printer;

    CsvOut(Writer out) throws IOException {
        this.printer = new CSVPrinter(out, CSVFormat.RFC4180);
    }

    void row(String... cells) throws IOException {
        row(List.of(cells));
    }

    void row(List<String> cells) throws IOException {
        for (String cell : cells) {
            printer.print(harmless(cell));
        }
        printer.println();
    }

    void flush() throws IOException {
        printer.flush();
    }

    static String harmless(String cell) {
        return !cell.isEmpty() && FORMULA.indexOf(cell.charAt(0)) >= 0 ? "'" + cell : cell;
    }
}
