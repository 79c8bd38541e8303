package org.azuremail.transport.smtp;

import org.azuremail.reason.Reason;

/**
 * The reasons why an SMTP server takes nothing, or not this email. Rows contain these names; most have the server and
 * its words as parameters.
 */
enum SmtpReason implements Reason.Code {
    SMTP_UNREACHABLE,
    /** The other end answers, but not as RFC 5321 demands; the parameter says how. */
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
    /** Nothing was taken; the parameter says why the conversation broke. */
    SMTP_BROKE,
    /** The last call of a stop came before the answer to a complete email. */
    SMTP_NOT_AWAITED,
    /** The answer is not a reply; the parameter is its words. */
    SMTP_SAID,
    /** The answer is neither a reply nor any text. */
    SMTP_NO_TEXT,
    /** A single reply had two codes. */
    SMTP_CODES_DIFFER,
    /** A reply had more lines than the limit, which is the parameter. */
    SMTP_MANY_LINES,
    /** A line had more bytes than the limit, which is the parameter. */
    SMTP_LONG_LINE,
    /** A reply that does not match the command; the parameter is its words. */
    SMTP_OTHER_ANSWER,
    /** An unsolicited reply; the parameter is its words. */
    SMTP_UNASKED,
    /** Unsolicited bytes before the encryption. */
    SMTP_BEFORE_TLS,
    /** Another question after the password. */
    SMTP_AFTER_PASSWORD,
    /** A question for the password that is not CRAM-MD5. */
    SMTP_CHALLENGE,
    SMTP_FROM,
    SMTP_FROM_UTF8,
    /** It is not known whether the email was taken; the parameter says what broke. */
    SMTP_CUT_OFF,
    SMTP_ADDRESS,
    /** The enhanced code in the words of this reason is from RFC 6531, 3.5. */
    SMTP_ADDRESS_UTF8,
    /** The email is too large; the parameters are its size in bytes and the most that the server takes. */
    SMTP_TOO_LARGE,
    /** The server takes only emails that are smaller than any server must take; the parameter is the most bytes. */
    SMTP_SMALL,
    /**
     * No email of the message was taken; the parameters are the server, the email's size in bytes, and the most that
     * the server takes.
     */
    SMTP_MESSAGE_OVER_SIZE,
    /**
     * No email of the message was taken; the parameters are the server, the email's size in bytes, and the server's
     * words.
     */
    SMTP_MESSAGE_TOO_LARGE
}
