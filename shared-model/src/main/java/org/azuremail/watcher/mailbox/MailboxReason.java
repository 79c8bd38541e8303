package org.azuremail.watcher.mailbox;

import org.azuremail.reason.Reason;

/** Results of watchers of mailboxes. Rows hold these names: a name may be added, never changed or used anew. */
enum MailboxReason implements Reason.Code {
    MAILBOX_EMPTY,
    /** The folder can be read: host, folder, how many messages. */
    MAILBOX_READS,
    /** The latest bounces: how many are about an email of ours, how many other messages. */
    MAILBOX_BOUNCES,
    /** The latest replies: how many unsubscribed somebody, were forwarded, were neither. */
    MAILBOX_REPLIES,
    /** Emails that we forwarded came back to this mailbox: how many, and the result otherwise. */
    MAILBOX_LOOP,
    /** Emails cannot be read by this program and stay in the mailbox: how many, and the result otherwise. */
    MAILBOX_UNREADABLE,
    /** Stands below a reply that is forwarded: the names of what was attached to it. */
    REPLY_ATTACHMENTS,
    /** There is no such host: its name. */
    MAILBOX_NO_HOST,
    /** No connection: host, port, what the network says. */
    MAILBOX_UNREACHABLE,
    /** A connection, but no answer in time: host, port. */
    MAILBOX_SILENT,
    /** The server has no valid certificate: host, what is wrong with it. */
    MAILBOX_CERTIFICATE,
    /** No connection that is encrypted as the settings ask: what is wrong. */
    MAILBOX_TLS,
    /** The server refuses the user name or the password: its words, and how many times in a row. */
    MAILBOX_PASSWORD,
    /** The server lets nobody in now, such as when there are too many connections: its words. */
    MAILBOX_BUSY,
    /** The folder does not exist: its name. */
    MAILBOX_NO_FOLDER,
    /** The conversation with the server broke: what it said. */
    MAILBOX_BROKE,
    /** No key of this process opens the password. */
    MAILBOX_SECRET
}
