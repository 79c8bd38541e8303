package org.azuremail.delivery;

import java.util.List;
import org.azuremail.message.OutcomeCounts;

/**
 * How far a message is.
 *
 * @param recipients counted so far; final when walked
 * @param walked whether all recipients are counted
 * @param finished whether every recipient has an outcome
 * @param notes why parts of it wait, each once
 */
public record MessageProgress(
        long recipients, boolean walked, boolean finished, OutcomeCounts counts, List<String> notes) {

    /** Recipients without an outcome. */
    public long waiting() {
        return Math.max(0, recipients - counts.sum());
    }
}
