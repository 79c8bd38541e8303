package org.azuremail.transport.smtp;

import org.azuremail.reason.Reason;

/**
 * The reasons why an SMTP server takes nothing, or not this mail. Rows contain these names; most have the server and its words
 * as parameters.
 */
enum SmtpReason implements Reason.Code {
    SMTP_UNREACHABLE,
    /** Something answers there, but not as RFC 5321 says; the parameter says how. */
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
    /** Somebody else waits for its first answers. */
    SMTP_SILENT,
    SMTP_NOT_ASKED,
    /** Nothing was taken: why the conversation broke. */
    SMTP_BROKE,
    /** The last call of a stop came before its answer to a complete mail. */
    SMTP_NOT_AWAITED,
    /** This is no reply: its words. */
    SMTP_SAID,
    /** This is no reply, nor any text. */
    SMTP_NO_TEXT,
    /** One reply with two codes. */
    SMTP_CODES_DIFFER,
    /** A reply of more lines than this. */
    SMTP_MANY_LINES,
    /** A line of more bytes than this. */
    SMTP_LONG_LINE,
    /** A reply that answers nothing that was asked: its words. */
    SMTP_OTHER_ANSWER,
    /** A reply to nothing: its words. */
    SMTP_UNASKED,
    /** Words before the encryption, which nobody asked for. */
    SMTP_BEFORE_TLS,
    /** A question after the password. */
    SMTP_AFTER_PASSWORD,
    /** A question for the password that is not CRAM-MD5. */
    SMTP_CHALLENGE,
    SMTP_FROM,
    SMTP_FROM_UTF8,
    /** It is not known whether the mail was taken; the parameter says what broke. */
    SMTP_CUT_OFF,
    SMTP_ADDRESS,
    /** The enhanced code in its words is RFC 6531's, 3.5. */
    SMTP_ADDRESS_UTF8,
    /** Bytes of the mail, and the most that the server takes. */
    SMTP_TOO_LARGE,
    /** The server takes only emails that are smaller than any server must take; the parameter is the most bytes. */
    SMTP_SMALL,
    /** No email of the message was taken: server, bytes of the mail, and the most that the server takes. */
    SMTP_MESSAGE_OVER_SIZE,
    /** The same in the server's words: server, bytes of the mail, words. */
    SMTP_MESSAGE_TOO_LARGE
}
