package org.azuremail.subscription.transfer;

import org.azuremail.reason.Reason;

/** Says why a file cannot be read any further, or why a row of it is not imported. */
final class ImportRefusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Reason reason;

    ImportRefusal(ImportReason code, Object... values) {
        this(Reason.of(code, values));
    }

    ImportRefusal(Reason reason) {
        super(reason.stored(), null, false, false);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }

    /** The reasons why an import fails, or refuses a row. Rows hold these names. */
    enum ImportReason implements Reason.Code {
        ROW_NO_ADDRESS,
        ROW_NOT_AN_ADDRESS,
        ROW_SUPPRESSED,
        /** The day on which the person unsubscribed. */
        ROW_LEFT,
        ROW_LEFT_ONCE,
        ROW_MOVING,
        /** The number of its cells and of the header line's; their separator: 0 a comma, 1 a semicolon, 2 a tab. */
        ROW_CELLS,
        /** The most characters. */
        ROW_LONG,
        FILE_EMPTY,
        /** The header line. */
        FILE_NO_EMAIL,
        FILE_COLUMNS,
        /** Earlier versions: the list's reason for refusing them, as a sentence. */
        FILE_ATTRIBUTES,
        /** Their columns and the list's attributes are more than this many. */
        FILE_MORE_ATTRIBUTES,
        /** A line. */
        FILE_NOT_UTF8,
        FILE_NOT_ENCODED,
        /** The line before it, and the most characters of a row. */
        FILE_LONG_ROW,
        /** The line before them. */
        FILE_BLANK_LINES,
        /** A line. */
        FILE_OPEN_QUOTE,
        /** A line. */
        FILE_AFTER_QUOTE,
        FILE_GONE,
        /** Its name. */
        IMPORT_LIST_GONE,
        IMPORT_BROKE
    }
}
