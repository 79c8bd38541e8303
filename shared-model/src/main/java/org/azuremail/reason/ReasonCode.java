package org.azuremail.reason;

/**
 * Reasons that do not belong to one transport. Rows store these names: a name may be added but never changed or
 * reused.
 */
public enum ReasonCode implements Reason.Code {
    /** The limit of a transport for a second is reached. Parameters: transport, limit. */
    RATE_SECOND,
    /** The limit of a transport for a minute is reached. Parameters: transport, limit, the reserved part of it. */
    RATE_MINUTE,
    /**
     * The limit of a transport for an hour is reached. Parameters: transport, limit, the reserved part of it, when
     * sending continues.
     */
    RATE_HOUR,
    /** The limit of a transport for a day is reached. Parameters as for {@link #RATE_HOUR}. */
    RATE_DAY,
    /** The limit of a list for a minute is reached. Parameters: list, limit, 0. */
    LIST_RATE_MINUTE,
    /** The limit of a list for an hour is reached. Parameters: list, limit, 0, when sending continues. */
    LIST_RATE_HOUR,
    /** The breaker of a transport is open. Parameters: transport, until when, the cause. */
    LEFT_ALONE,
    /** Two reasons, for example of two transports. Parameters: both reasons. */
    BOTH,
    /** The connection failed: the host does not exist. */
    NO_HOST,
    /** The connection failed: the host did not answer in time. */
    NO_ANSWER,
    /** The connection failed: the host refused it. */
    NOTHING_LISTENS,
    /** The other end closed the connection. */
    HUNG_UP,
    /** The connection could not be encrypted: the certificate has expired. */
    CERTIFICATE_EXPIRED,
    /** The connection could not be encrypted: the certificate is not valid yet. */
    CERTIFICATE_EARLY,
    /** The connection could not be encrypted: no trusted authority signed the certificate. */
    CERTIFICATE_UNTRUSTED,
    /** The connection could not be encrypted: the certificate belongs to another host. */
    CERTIFICATE_NAME,
    /** The connection failed for an unknown reason. */
    CONNECTION_BROKE,
    /** The provider asked the sender to try later. */
    PUT_OFF,
    /** The provider asked the sender to try later. Parameter: the reason in its answer. */
    PUT_OFF_SAYING,
    /** The provider did not accept the email for these recipients, and did not ask for another attempt. */
    NOT_ACCEPTED,
    /** The server says that the recipient's mailbox does not exist. Parameter: the server's words. */
    NO_MAILBOX,
    /** An email could not be prepared and will be tried again. Parameter: the exception. */
    PREPARING_FAILED,
    /**
     * A single email could not be prepared and became a dead letter. It never reached a transport. Parameter: the
     * exception.
     */
    UNPREPARED,
    /** The storage was restored from a backup, so it is unknown whether the email was sent after the backup. */
    STORAGE_RESTORED,
    /** A restore paused a message, and some of its emails may have been sent. Parameter: when the backup was made. */
    RESTORED_IN_DOUBT,
    /** A restore paused a message that was not due. Parameter: when the backup was made. */
    RESTORED_NOT_DUE,
    /** A table or container that sending needs was deleted. */
    STORAGE_LACKS,
    /** A sender stopped during a hand-over. */
    SENDER_STOPPED,
    /** Senders stopped twice during the hand-over of one confirmation. */
    SENDER_STOPPED_TWICE,
    /** A confirmation waited until its link no longer worked. */
    LINK_EXPIRED,
    /** It is unknown whether a confirmation was sent. Parameter: the cause. */
    IN_DOUBT,
    /** The blob of a body does not exist. Parameter: its name. */
    BODY_MISSING,
    /** A message failed because its list does not exist. Parameter: the list's name. */
    LIST_GONE,
    /** A message failed because its lists have different numbers of parts. Parameter: the lists. */
    PARTS_DIFFER,
    /** A message failed because its segment does not exist. Parameter: the segment's name. */
    SEGMENT_GONE,
    /**
     * A message failed because the rules of its segment cannot be applied. Parameters: the segment's name, the cause.
     */
    SEGMENT_BROKEN,
    /** A message failed because it has no content. */
    NO_BODY,
    /** A message failed because its list has no confirmed subscribers. */
    NO_SUBSCRIBERS,
    /** A recipient was skipped because the message was cancelled. */
    CANCELLED,
    /** An email counts as sent because an admin decided so. Parameter: the admin. */
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
    /** It is unknown whether the outbox stored an email. */
    OUTBOX_UNSURE,
    /** The outbox could not be written. Parameter: the storage's error. */
    OUTBOX_UNWRITABLE,
    /** An email is too large for a row of the outbox. */
    OUTBOX_TOO_LARGE,
    /** The secret of a transport was stored under a key that this process does not have. Parameter: transport. */
    TRANSPORT_SECRET,
    /** This process cannot open a transport. Parameters: transport, the exception. */
    TRANSPORT_SETTINGS,
    /** It is unknown whether a transport accepted an email. Parameter: the exception. */
    TRANSPORT_BROKE,
    /** A transport was changed or removed while a lot was being handed to it. Parameter: transport. */
    TRANSPORT_CHANGED,
    /**
     * A message was paused because too many emails bounced. Parameters: bounced emails, sent emails, the allowed share
     * in percent.
     */
    TOO_MANY_BOUNCES,
    /** A message was paused because of too many complaints. Parameters as for {@link #TOO_MANY_BOUNCES}. */
    TOO_MANY_COMPLAINTS,
    /** A turn of a watcher failed. Parameter: the exception. */
    WATCHER_BROKE,
    /** This version has no watchers of a kind. Parameter: the name of the kind. */
    WATCHER_KIND,
    /** A job failed repeatedly. Parameter: the last exception. */
    JOB_BROKE,
    /** The handler of a dead letter failed five times. Parameter: the last exception. */
    ITEM_FAILED,
    /** A dead letter cannot be read. Parameter: the exception. */
    ITEM_UNREADABLE,
    /** A dead letter begins like a pointer to a payload but is not one. */
    NO_POINTER,
    /** The payload of a dead letter does not exist. Parameter: its token. */
    PAYLOAD_MISSING,
    /** The payload of a dead letter cannot be read. Parameter: its token. */
    PAYLOAD_DAMAGED
}
