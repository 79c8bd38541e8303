package org.azuremail.transport.sendgrid;

import org.azuremail.reason.Reason;

/** The reasons why SendGrid takes nothing, or not this mail. Rows hold these names; most mention what SendGrid said. */
enum SendGridReason implements Reason.Code {
    SENDGRID_REFUSED,
    SENDGRID_BUSY,
    SENDGRID_OTHER_API,
    SENDGRID_UNSURE,
    SENDGRID_LOST,
    /** Its host, and why. */
    SENDGRID_UNREACHABLE,
    SENDGRID_ASCII
}
