package org.azuremail.suppression;

import org.azuremail.reason.Reason;

/**
 * The reasons why an address gets no email. Rows hold these names: a name may be added, never changed. A later one overrules an
 * earlier one.
 */
public enum SuppressionReason implements Reason.Code {
    /** Emails to it came back several times, for reasons that pass. */
    SUPPRESSED_SOFT_BOUNCES,
    /** It came with a list of such addresses. */
    SUPPRESSED_IMPORTED,
    /** An admin says so. */
    SUPPRESSED_BY_ADMIN,
    /** An email to it came back for good. */
    SUPPRESSED_BOUNCE,
    /** Its owner marked an email as spam. */
    SUPPRESSED_COMPLAINT
}
