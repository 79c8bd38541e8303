package org.azuremail.watcher.feed;

import java.time.Duration;
import org.azuremail.reason.Reason;
import org.azuremail.watcher.WatcherKind;

/**
 * The reason why a feed could not be read, or no message created from it; the next turn tries again, no sooner than the server
 * asks for.
 */
final class FeedTrouble extends WatcherKind.Failed {

    private static final long serialVersionUID = 1;

    private final Duration pause;

    FeedTrouble(Reason reason, Duration pause) {
        super(reason);
        this.pause = pause;
    }

    FeedTrouble(FeedReason code, Object... values) {
        this(Reason.of(code, values), Duration.ZERO);
    }

    Duration pause() {
        return pause;
    }

    /** Results of feed watchers. Rows hold these names: a name may be added, never changed or used anew. */
    enum FeedReason implements Reason.Code {
        /** New entries that messages were created for or that wait for a digest: how many. */
        FEED_NEW,
        /** Entries that were there at the first reading and get no message: how many. */
        FEED_MARKED,
        FEED_NOTHING_NEW,
        /** The feed can be read: how many entries are looked at. */
        FEED_READS,
        /** The feed redirects: to which address, and the result. */
        FEED_REDIRECTED,
        /** More redirects than are followed: how many are. */
        FEED_REDIRECTS,
        /** The answer 410: there will be no feed again. */
        FEED_GONE,
        /** Any other answer: its status. */
        FEED_STATUS,
        /** The server asked for a pause: status, until when. */
        FEED_WAIT,
        /** The feed is larger than is read: the most MB. */
        FEED_LARGE,
        /** More elements or attributes than are read. */
        FEED_ELEMENTS,
        /** No whole answer in time: after how many seconds. */
        FEED_SLOW,
        /** There is no such host: its name. */
        FEED_NO_HOST,
        /** The address, or where it redirects to, is not on the public internet: host. */
        FEED_PRIVATE,
        /** An address that no feed can have: the address. */
        FEED_ADDRESS,
        /** No connection, or it broke: what the network says. */
        FEED_UNREACHABLE,
        /** The answer is neither RSS, Atom nor a JSON feed, or it is broken: what the parser says. */
        FEED_UNREADABLE,
        /** A message could not be created: the first reason. */
        FEED_REFUSED,
        /** The number of entries that wait for their message: so many that no more are read. */
        FEED_FULL
    }
}
