package org.azuremail.field;

import org.azuremail.reason.Reason;

/** The result of reading a text as a field's value. */
public sealed interface FieldValue {

    /**
     * It fits.
     *
     * @param stored the one form in which rows hold it; reading it again gives the same
     */
    record Valid(String stored) implements FieldValue {}

    record Refused(Reason reason) implements FieldValue {}
}
