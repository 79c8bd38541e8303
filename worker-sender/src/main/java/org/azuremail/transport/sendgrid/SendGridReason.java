package org.azuremail.transport.sendgrid;

import org.azuremail.reason.Reason;

/**
 * The reasons why SendGrid takes nothing, or not this email. Rows contain these names; most have SendGrid's words as a
 * parameter.
 */
enum SendGridReason implements Reason.Code {
    SENDGRID_REFUSED,
    SENDGRID_BUSY,
    SENDGRID_OTHER_API,
    SENDGRID_UNSURE,
    SENDGRID_LOST,
    /** SendGrid cannot be reached; the parameters are its host and the error. */
    SENDGRID_UNREACHABLE,
    SENDGRID_ASCII,
    SENDGRID_FROM
}
