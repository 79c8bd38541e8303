package org.azuremail.subscription.transfer;

import org.azuremail.reason.Reason;

/** Why an import failed, or refuses a row. Rows hold these names. */
enum ImportReason implements Reason.Code {
    ROW_NO_ADDRESS,
    ROW_NOT_AN_ADDRESS,
    ROW_SUPPRESSED,
    /** The day on which they left. */
    ROW_LEFT,
    ROW_LEFT_ONCE,
    ROW_MOVING,
    FILE_EMPTY,
    /** The header line. */
    FILE_NO_EMAIL,
    /** How many are allowed. */
    FILE_COLUMNS,
    /** What the list said of them. */
    FILE_ATTRIBUTES,
    /** A line. */
    FILE_NOT_UTF8,
    /** The line before it, and how long a row may be. */
    FILE_LONG_ROW,
    /** A line. */
    FILE_OPEN_QUOTE,
    /** A line. */
    FILE_AFTER_QUOTE,
    FILE_GONE,
    /** Its name. */
    IMPORT_LIST_GONE,
    IMPORT_BROKE
}
