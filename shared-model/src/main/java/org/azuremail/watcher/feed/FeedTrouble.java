package org.azuremail.watcher.feed;

import java.time.Duration;
import org.azuremail.reason.Reason;

/**
 * The reason why a feed could not be read, or no message created from it; the next turn tries again, no sooner than the server
 * asks for.
 */
final class FeedTrouble extends Exception {

    private static final long serialVersionUID = 1;

    private final transient Reason reason;
    private final Duration pause;

    FeedTrouble(Reason reason, Duration pause) {
        super(reason.words());
        this.reason = reason;
        this.pause = pause;
    }

    FeedTrouble(FeedReason code, Object... values) {
        this(Reason.of(code, values), Duration.ZERO);
    }

    Reason reason() {
        return reason;
    }

    Duration pause() {
        return pause;
    }
}
