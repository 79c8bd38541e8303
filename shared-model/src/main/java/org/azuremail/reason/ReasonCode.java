package org.azuremail.reason;

/** Reasons that are not one transport's own. Rows hold these names: a name may be added, never changed or used anew. */
public enum ReasonCode implements Reason.Code {
    /** A transport's limit: transport, mails a second. */
    RATE_SECOND,
    /** Transport, limit, how many of it are kept. */
    RATE_MINUTE,
    /** Transport, limit, how many of it are kept, when it goes on. */
    RATE_HOUR,
    /** As {@link #RATE_HOUR}. */
    RATE_DAY,
    /** A list's own limit: list, limit, 0. */
    LIST_RATE_MINUTE,
    /** A list's own limit: list, limit, 0, when it goes on. */
    LIST_RATE_HOUR,
    /** A breaker is open: transport, until when, why. */
    LEFT_ALONE,
    /** Two reasons, of two transports. */
    BOTH,
    /** No connection: there is no such host. */
    NO_HOST,
    /** No connection: no answer in time. */
    NO_ANSWER,
    /** No connection: it is refused. */
    NOTHING_LISTENS,
    /** No connection: the other end closed it. */
    HUNG_UP,
    /** No encrypted connection. */
    CERTIFICATE_EXPIRED,
    /** No encrypted connection: the validity of the certificate begins later. */
    CERTIFICATE_EARLY,
    /** No encrypted connection. */
    CERTIFICATE_UNTRUSTED,
    /** No encrypted connection: the certificate is another host's. */
    CERTIFICATE_NAME,
    /** No connection, and nothing says why. */
    CONNECTION_BROKE,
    /** The provider asked for another try later. */
    PUT_OFF,
    /** The provider took nothing for these recipients, and did not ask for another try. */
    NOT_ACCEPTED,
    /** A mail could not be made, and is tried again: what was thrown. */
    PREPARING_FAILED,
    /** The one mail that could not be made, and is a dead letter: what was thrown. Nothing of it ever reached a transport. */
    UNPREPARED,
    /** Nobody knows what happened between a backup and its restore. */
    STORAGE_RESTORED,
    /** A message is paused by a restore: when the backup was made. Some of its mails may have left. */
    RESTORED_IN_DOUBT,
    /** A message is paused by a restore: when the backup was made. It was not due. */
    RESTORED_NOT_DUE,
    /** Somebody deleted a table or container that sending needs. */
    STORAGE_LACKS,
    /** A sender died in a hand-over. */
    SENDER_STOPPED,
    /** A sender died twice in the hand-over of one confirmation. */
    SENDER_STOPPED_TWICE,
    /** Nobody knows whether a confirmation left: why. */
    IN_DOUBT,
    /** A body's blob is gone: its name. */
    BODY_MISSING,
    /** A message failed: its list, by name, is gone. */
    LIST_GONE,
    /** A message failed: its lists have different numbers of parts. The lists. */
    PARTS_DIFFER,
    /** A message failed: its segment, by name, is gone. */
    SEGMENT_GONE,
    /** A message failed: the rules of its segment, by name, cannot be applied. Why. */
    SEGMENT_BROKEN,
    /** A message failed. */
    NO_BODY,
    /** A message failed. */
    NO_SUBSCRIBERS,
    /** A recipient was skipped: the message was cancelled. */
    CANCELLED,
    /** Sent, because a person said so: who. */
    DECIDED,
    /** Of consent: an import, by id. */
    IMPORT,
    /** Of consent: a change of address, from this one. */
    MOVED_FROM,
    /** Of consent: a change of list: address and list before, address and list after. */
    MOVED_FROM_TO,
    /** Of consent: by the page that said that the person is unsubscribed. */
    CAME_BACK,
    /** A test mail: its message is gone. */
    MESSAGE_GONE,
    /** A test mail: the process died in its hand-over. */
    TEST_IN_DOUBT,
    /** The outbox: a mail that may be kept. */
    OUTBOX_UNSURE,
    /** The outbox: what the storage said. */
    OUTBOX_UNWRITABLE,
    /** The outbox: an email that fits no row. */
    OUTBOX_TOO_LARGE,
    /** A transport's secret was stored under a key that this process does not have: transport. */
    TRANSPORT_SECRET,
    /** A transport cannot be opened by this process: transport, what was thrown. */
    TRANSPORT_SETTINGS,
    /** Nobody knows whether a transport took an email: its exception. */
    TRANSPORT_BROKE,
    /** A transport was changed or removed while a lot was on its way to it: transport. */
    TRANSPORT_CHANGED,
    /** A message is paused: how many emails bounced, of how many sent ones, and the share in percent that may. */
    TOO_MANY_BOUNCES,
    /** As {@link #TOO_MANY_BOUNCES}, of complaints. */
    TOO_MANY_COMPLAINTS,
    /** A turn of a watcher failed: the exception. */
    WATCHER_BROKE,
    /** This program has no watchers of a kind: its name. */
    WATCHER_KIND,
    /** A job failed again and again: what was thrown last. */
    JOB_BROKE,
    /** A dead letter whose handler failed five times: the last exception. */
    ITEM_FAILED,
    /** A dead letter that cannot be read: the exception. */
    ITEM_UNREADABLE,
    /** A dead letter: it begins like a pointer to a payload, and is none. */
    NO_POINTER,
    /** A dead letter: its payload, by token, does not exist. */
    PAYLOAD_MISSING,
    /** A dead letter: its payload, by token, cannot be read. */
    PAYLOAD_DAMAGED
}
