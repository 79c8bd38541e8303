package org.azuremail.subscription.transfer;

import org.azuremail.reason.Reason;

/** The reason why the rest of a file cannot be read, or why a row is not imported. */
final class ImportRefusedException extends Exception {

    private final transient Reason reason;

    ImportRefusedException(ImportReason code, Object... values) {
        this(Reason.of(code, values));
    }

    ImportRefusedException(Reason reason) {
        super(reason.stored(), null, false, false);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }

    /** The reasons why an import fails, or refuses a row. Rows contain these names. */
    enum ImportReason implements Reason.Code {
        ROW_NO_ADDRESS,
        ROW_NOT_AN_ADDRESS,
        ROW_SUPPRESSED,
        /** The parameters are the heading of a column and its cell, which say that the person gets no email. */
        ROW_NO_EMAIL,
        /** The parameter is the day on which the person unsubscribed. */
        ROW_LEFT,
        ROW_LEFT_ONCE,
        ROW_MOVING,
        /**
         * The parameters are the number of cells in the row, the number in the header line, and the separator: 0 is a
         * comma, 1 a semicolon, 2 a tab.
         */
        ROW_CELLS,
        /** The parameter is the most characters. */
        ROW_LONG,
        FILE_EMPTY,
        /** The parameter is the header line. */
        FILE_NO_EMAIL,
        FILE_COLUMNS,
        /**
         * Only in imports of earlier versions. The parameter is a sentence with the list's reason to refuse the file's
         * attributes.
         */
        FILE_ATTRIBUTES,
        /** The parameter is the most attributes of a list, which the file's columns exceed. */
        FILE_MORE_ATTRIBUTES,
        /** The parameter is the line. */
        FILE_NOT_UTF8,
        FILE_NOT_ENCODED,
        /** The parameters are the line before the row and the most characters of a row. */
        FILE_LONG_ROW,
        /** The parameter is the line before the blank lines. */
        FILE_BLANK_LINES,
        /** The parameter is the line. */
        FILE_OPEN_QUOTE,
        /** The parameter is the line. */
        FILE_AFTER_QUOTE,
        FILE_GONE,
        /** The parameter is the name of the list. */
        IMPORT_LIST_GONE,
        IMPORT_BROKE
    }
}
