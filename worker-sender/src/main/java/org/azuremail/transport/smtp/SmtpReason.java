package org.azuremail.transport.smtp;

import org.azuremail.reason.Reason;

/**
 * The reasons why an SMTP server takes nothing, or not this email. Rows contain these names; {@code
 * messages.properties} has their words, and says which parameters each has.
 */
enum SmtpReason implements Reason.Code {
    SMTP_UNREACHABLE,
    SMTP_NO_SMTP,
    SMTP_NO_TLS,
    SMTP_NO_STARTTLS,
    SMTP_CONNECTION_REFUSED,
    SMTP_NO_SIGN_IN,
    SMTP_PASSWORD_UNCHECKED,
    SMTP_PASSWORD_REFUSED,
    SMTP_WANTS_SIGN_IN,
    SMTP_NOT_FROM_US,
    SMTP_NOT_FROM_US_NOW,
    SMTP_TAKES_NOTHING,
    SMTP_HALF_ANSWERED,
    SMTP_BUSY,
    /** Another caller waits for the server's first answers. */
    SMTP_SILENT,
    SMTP_NOT_ASKED,
    /** Nothing was taken. */
    SMTP_BROKE,
    /** The last call of a stop came before the answer to a complete email. */
    SMTP_NOT_AWAITED,
    SMTP_SAID,
    SMTP_NO_TEXT,
    SMTP_CODES_DIFFER,
    SMTP_MANY_LINES,
    SMTP_LONG_LINE,
    SMTP_OTHER_ANSWER,
    SMTP_UNASKED,
    SMTP_BEFORE_TLS,
    SMTP_AFTER_PASSWORD,
    /** A question for the password that is not CRAM-MD5. */
    SMTP_CHALLENGE,
    SMTP_FROM,
    SMTP_FROM_UTF8,
    /** It is not known whether the email was taken. */
    SMTP_CUT_OFF,
    SMTP_ADDRESS,
    /** The enhanced code in the words of this reason is from RFC 6531, 3.5. */
    SMTP_ADDRESS_UTF8,
    SMTP_TOO_LARGE,
    /** The server takes only emails that are smaller than any server must take. */
    SMTP_SMALL,
    /** No email of the message was taken, because the server announces its limit. */
    SMTP_MESSAGE_OVER_SIZE,
    /** No email of the message was taken, as the server's reply says. */
    SMTP_MESSAGE_TOO_LARGE
}
