package org.azuremail.delivery;

import java.time.Instant;
import java.util.List;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * How far a message is.
 *
 * @param recipients counted so far; final when walked
 * @param walked whether all recipients are counted
 * @param finished whether every recipient has an outcome
 * @param waits why parts of it wait, each reason once
 */
public record MessageProgress(
        long recipients, boolean walked, boolean finished, OutcomeCounts counts, List<Wait> waits) {

    /**
     * Why parts of a message wait.
     *
     * @param until when the first of them goes on by itself; {@code null} when nobody knows
     */
    public record Wait(Reason why, @Nullable Instant until) {}

    /** Recipients without an outcome. */
    public long waiting() {
        return Math.max(0, recipients - counts.sum());
    }

    /** The reasons alone. */
    public List<Reason> notes() {
        return waits.stream().map(Wait::why).toList();
    }
}
