package org.azuremail.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;

/**
 * The figures of a message's outcomes at the last count.
 *
 * @param countedAt when the count began; outcomes recorded later are missing
 * @param rate the emails handed over, over time
 * @param reasons the most frequent reasons of recipients who were not sent the message or gave feedback, the most
 *     frequent first
 * @param otherReasons the number of recipients with other reasons
 * @param domains the domains with the most recipients, the largest first
 * @param otherDomains the outcomes of recipients at all other domains
 * @param undecided the number of recipients who have been Unknown for a day, without a deciding event
 */
public record Figures(
        Instant countedAt,
        OutcomeCounts outcomes,
        Rate rate,
        List<ReasonCount> reasons,
        long otherReasons,
        List<DomainCounts> domains,
        OutcomeCounts otherDomains,
        long undecided) {

    /**
     * The number of recipients who have an outcome for the same reason or, if it is Sent, the same feedback. Words that
     * identify one recipient are removed.
     */
    public record ReasonCount(Outcome outcome, Reason reason, long recipients) {

        public OutcomeGroup group() {
            boolean bounced = reason.is(Feedback.Kind.HARD_BOUNCE)
                    || reason.is(Feedback.Kind.SOFT_BOUNCE)
                    || reason.is(Feedback.Kind.BLOCKED);
            return reason.is(Feedback.Kind.COMPLAINT)
                    ? OutcomeGroup.COMPLAINED
                    : bounced ? OutcomeGroup.BOUNCED : OutcomeGroup.valueOf(outcome.name());
        }
    }

    public record DomainCounts(String name, OutcomeCounts counts) {}

    /**
     * The number of emails handed over in each step.
     *
     * @param step the length of each step, at least a minute; steps follow each other without gaps
     * @param emails the number in each step, oldest first; empty if nothing was handed over
     */
    public record Rate(Instant begin, Duration step, List<Long> emails) {

        public static final Rate NONE = new Rate(Instant.EPOCH, Duration.ofMinutes(1), List.of());
    }
}
