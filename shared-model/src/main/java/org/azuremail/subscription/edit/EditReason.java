package org.azuremail.subscription.edit;

import org.azuremail.reason.Reason;

/** The reasons why an admin's change is not possible. */
enum EditReason implements Reason.Code {
    /** An email to this address waits since before the person left it. */
    MOVE_EMAIL_WAITS,
    MOVE_STATE,
    /** The list, by name; how many attributes a list may have. */
    MOVE_ATTRIBUTES,
    SUPPRESSED_FIRST
}
