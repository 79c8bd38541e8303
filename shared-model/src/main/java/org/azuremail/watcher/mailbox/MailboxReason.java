package org.azuremail.watcher.mailbox;

import org.azuremail.reason.Reason;

/** Results of mailbox watchers. Rows contain these names: a name may be added, never changed or reused. */
enum MailboxReason implements Reason.Code {
    MAILBOX_EMPTY,
    /** The folder can be read; the parameters are the host, the folder and the number of messages. */
    MAILBOX_READS,
    /**
     * The latest bounces; the parameters are how many concern an email of this installation, and how many other
     * messages arrived.
     */
    MAILBOX_BOUNCES,
    /** The latest replies; the parameters are how many unsubscribed a person, were forwarded, or neither. */
    MAILBOX_REPLIES,
    /**
     * Emails that this installation forwarded came back to the mailbox; the parameters are their number and the other
     * result.
     */
    MAILBOX_LOOP,
    /**
     * Emails that would be forwarded stay in the mailbox, because the list does not exist; the parameters are their
     * number and the other result.
     */
    MAILBOX_NO_LIST,
    /**
     * Emails that this program cannot read stay in the mailbox; the parameters are their number and the other result.
     */
    MAILBOX_UNREADABLE,
    /** A line below a forwarded reply; the parameter is the names of its attachments. */
    REPLY_ATTACHMENTS,
    /** The host does not exist; the parameter is its name. */
    MAILBOX_NO_HOST,
    /** No connection; the parameters are the host, the port and the network's error. */
    MAILBOX_UNREACHABLE,
    /** A connection, but no answer in time; the parameters are the host and the port. */
    MAILBOX_SILENT,
    /** The server has no valid certificate; the parameters are the host and the fault of the certificate. */
    MAILBOX_CERTIFICATE,
    /** The connection cannot be encrypted as the settings demand; the parameter is the fault. */
    MAILBOX_TLS,
    /**
     * The server refused the user name or the password; the parameters are its words and the number of refusals in a
     * row.
     */
    MAILBOX_PASSWORD,
    /**
     * The server refused the sign-in without a response code, but accepted this password before, as with too many
     * connections; the parameter is its words.
     */
    MAILBOX_REFUSED,
    /**
     * The server temporarily refuses every sign-in, for example because of too many connections; the parameter is its
     * words.
     */
    MAILBOX_BUSY,
    /** The folder does not exist; the parameter is its name. */
    MAILBOX_NO_FOLDER,
    /** The conversation with the server broke; the parameter is the server's words. */
    MAILBOX_BROKE,
    /** No key of this process decrypts the password. */
    MAILBOX_SECRET
}
