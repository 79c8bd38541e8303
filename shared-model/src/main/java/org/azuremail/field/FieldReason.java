package org.azuremail.field;

import org.azuremail.reason.Reason;

/** The reasons why a value does not fit a field. Rows contain these names; the first value of each is the field's label. */
public enum FieldReason implements Reason.Code {
    /** The most characters. */
    FIELD_LONG,
    FIELD_CONTROL_CHARACTER,
    FIELD_NOT_A_NUMBER,
    FIELD_NOT_YES_OR_NO,
    FIELD_NOT_A_DATE,
    FIELD_NOT_A_MONTH_AND_DAY,
    /** The options. */
    FIELD_NOT_AN_OPTION
}
