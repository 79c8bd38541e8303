package org.azuremail.subscription.edit;

import org.azuremail.reason.Reason;

/** The reasons why an admin's change is not possible. */
enum EditReason implements Reason.Code {
    /** An email to this address has been waiting since before the person left the address. */
    MOVE_EMAIL_WAITS,
    MOVE_STATE,
    /** The name of the list, and the most attributes of a list. */
    MOVE_ATTRIBUTES,
    SUPPRESSED_FIRST
}
