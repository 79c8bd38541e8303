package org.azuremail.reason;

/**
 * Reasons that do not belong to one transport. Rows store these names: a name may be added but never changed or
 * reused.
 */
public enum ReasonCode implements Reason.Code {
    /** A transport's limit for a second. Parameters: transport, emails a second. */
    RATE_SECOND,
    /** A transport's limit for a minute. Parameters: transport, limit, how many of it are kept. */
    RATE_MINUTE,
    /**
     * A transport's limit for an hour. Parameters: transport, limit, how many of it are kept, when sending
     * continues.
     */
    RATE_HOUR,
    /** A transport's limit for a day. Parameters as for {@link #RATE_HOUR}. */
    RATE_DAY,
    /** A list's own limit for a minute. Parameters: list, limit, 0. */
    LIST_RATE_MINUTE,
    /** A list's own limit for an hour. Parameters: list, limit, 0, when sending continues. */
    LIST_RATE_HOUR,
    /** A transport's breaker is open. Parameters: transport, until when, why. */
    LEFT_ALONE,
    /** The reasons of two transports. */
    BOTH,
    /** No connection: the host does not exist. */
    NO_HOST,
    /** No connection: no answer in time. */
    NO_ANSWER,
    /** No connection: the host refused it. */
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
    /** No connection, for an unknown reason. */
    CONNECTION_BROKE,
    /** The provider asked for another try later. */
    PUT_OFF,
    /** The provider took nothing for these recipients, and did not ask for another try. */
    NOT_ACCEPTED,
    /** An email could not be prepared, and is tried again. Parameter: what was thrown. */
    PREPARING_FAILED,
    /**
     * A single email could not be prepared, and is a dead letter. It never reached a transport. Parameter: what was
     * thrown.
     */
    UNPREPARED,
    /** It is unknown what happened between a backup and its restore. */
    STORAGE_RESTORED,
    /**
     * A message is paused by a restore, and some of its emails may have been sent. Parameter: when the backup was
     * made.
     */
    RESTORED_IN_DOUBT,
    /** A message that was not due is paused by a restore. Parameter: when the backup was made. */
    RESTORED_NOT_DUE,
    /** A table or container that sending needs was deleted. */
    STORAGE_LACKS,
    /** A sender stopped during a hand-over. */
    SENDER_STOPPED,
    /** Senders stopped twice during the hand-over of one confirmation. */
    SENDER_STOPPED_TWICE,
    /** It is unknown whether a confirmation was sent. Parameter: why. */
    IN_DOUBT,
    /** The blob of a body does not exist. Parameter: its name. */
    BODY_MISSING,
    /** A message failed because its list does not exist. Parameter: the list's name. */
    LIST_GONE,
    /** A message failed because its lists have different numbers of parts. Parameter: the lists. */
    PARTS_DIFFER,
    /** A message failed because its segment does not exist. Parameter: the segment's name. */
    SEGMENT_GONE,
    /** A message failed: the rules of its segment, by name, cannot be applied. Why. */
    SEGMENT_BROKEN,
    /** A message failed. */
    NO_BODY,
    /** A message failed. */
    NO_SUBSCRIBERS,
    /** A recipient was skipped: the message was cancelled. */
    CANCELLED,
    /** An email counts as sent because a person decided so. Parameter: the person. */
    DECIDED,
    /** Consent came from an import. Parameter: its id. */
    IMPORT,
    /** Consent came with a change of address. Parameter: the former address. */
    MOVED_FROM,
    /** Consent came with a change of list. Parameters: address and list before, address and list after. */
    MOVED_FROM_TO,
    /** Consent was given on the page that confirms that the person is unsubscribed. */
    CAME_BACK,
    /** A test email failed because its message does not exist. */
    MESSAGE_GONE,
    /** The process stopped during the hand-over of a test email. */
    TEST_IN_DOUBT,
    /** It is unknown whether the outbox kept an email. */
    OUTBOX_UNSURE,
    /** The outbox could not be written. Parameter: the storage's error. */
    OUTBOX_UNWRITABLE,
    /** An email is too large for a row of the outbox. */
    OUTBOX_TOO_LARGE,
    /** A transport's secret was stored under a key that this process does not have: transport. */
    TRANSPORT_SECRET,
    /** A transport cannot be opened by this process: transport, what was thrown. */
    TRANSPORT_SETTINGS,
    /** It is unknown whether a transport took an email. Parameter: its exception. */
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
    /** A dead letter begins like a pointer to a payload, but is not one. */
    NO_POINTER,
    /** A dead letter: its payload, by token, does not exist. */
    PAYLOAD_MISSING,
    /** A dead letter: its payload, by token, cannot be read. */
    PAYLOAD_DAMAGED
}
