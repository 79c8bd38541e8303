package org.azuremail.transport.sendgrid;

import org.azuremail.reason.Reason;

/** The reasons why SendGrid takes nothing, or not this email. Rows contain these names. */
enum SendGridReason implements Reason.Code {
    SENDGRID_REFUSED,
    SENDGRID_BUSY,
    SENDGRID_OTHER_API,
    SENDGRID_UNSURE,
    SENDGRID_LOST,
    SENDGRID_UNREACHABLE,
    SENDGRID_ASCII,
    SENDGRID_FROM
}
