package org.azuremail.field;

import org.azuremail.reason.Reason;

/** The result of reading a text as a field's value. */
public sealed interface FieldValue {

    /**
     * It fits.
     *
     * @param stored the value's one form in rows, which reads as itself
     */
    record Valid(String stored) implements FieldValue {}

    record Refused(Reason reason) implements FieldValue {}
}
