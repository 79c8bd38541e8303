package org.azuremail.watcher.feed;

import java.time.Duration;
import org.azuremail.reason.Reason;
import org.azuremail.watcher.WatcherKind;

/**
 * Thrown when a feed could not be read, or no message could be created from it. The next turn tries again, no sooner
 * than the server asks for.
 */
final class FeedException extends WatcherKind.WatcherException {

    private final Duration pause;

    FeedException(Reason reason, Duration pause) {
        super(reason);
        this.pause = pause;
    }

    FeedException(FeedReason code, Object... values) {
        this(Reason.of(code, values), Duration.ZERO);
    }

    Duration pause() {
        return pause;
    }

    /** Results of feed watchers. Rows contain these names: a name may be added, never changed or reused. */
    enum FeedReason implements Reason.Code {
        /** New entries for which messages were created, or that wait for a digest; the parameter is their number. */
        FEED_NEW,
        /** Entries that existed at the first read and get no message; the parameter is their number. */
        FEED_MARKED,
        FEED_NOTHING_NEW,
        /**
         * Entries that may have got a message after the backup from which the storage was restored, and get none; the
         * parameter is their number.
         */
        FEED_RESTORED,
        /** The feed can be read; the parameter is the number of entries that are read. */
        FEED_READS,
        /** The feed redirects; the parameters are the address and the result. */
        FEED_REDIRECTED,
        /** More redirects than are followed; the parameter is the limit. */
        FEED_REDIRECTS,
        /** The answer 410: the feed was removed permanently. */
        FEED_GONE,
        /** Any other answer; the parameter is its status. */
        FEED_STATUS,
        /** The server asked for a pause; the parameters are the status and the end of the pause. */
        FEED_WAIT,
        /** The feed is larger than the limit; the parameter is the limit in MB. */
        FEED_LARGE,
        /** The feed has more elements or attributes than the limit. */
        FEED_ELEMENTS,
        /** No complete answer in time; the parameter is the limit in seconds. */
        FEED_SLOW,
        /** The host does not exist; the parameter is its name. */
        FEED_NO_HOST,
        /** The address, or one that it redirects to, is not on the public internet; the parameter is the host. */
        FEED_PRIVATE,
        /** An address that no feed can have; the parameter is the address. */
        FEED_ADDRESS,
        /** The connection failed or broke; the parameter is the network's error. */
        FEED_UNREACHABLE,
        /** The answer is neither RSS, Atom nor a JSON feed, or it is broken; the parameter is the parser's error. */
        FEED_UNREADABLE,
        /** A message could not be created; the parameter is the first reason. */
        FEED_REFUSED,
        /** So many entries wait for their message that no more are read; the parameter is their number. */
        FEED_FULL
    }
}
