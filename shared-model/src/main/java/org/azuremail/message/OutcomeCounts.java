package org.azuremail.message;

import org.azuremail.storage.Values;

/**
 * The number of recipients with each outcome.
 *
 * @param bounced the number of sent emails that came back later
 * @param complained the number of sent emails that were marked as spam later
 */
public record OutcomeCounts(long sent, long failed, long skipped, long unknown, long bounced, long complained) {

    public static final OutcomeCounts NONE = new OutcomeCounts(0, 0, 0, 0);

    /** Creates counts without bounces and complaints. */
    public OutcomeCounts(long sent, long failed, long skipped, long unknown) {
        this(sent, failed, skipped, unknown, 0, 0);
    }

    /** Reads the counts in a row's properties; a missing count is 0. */
    public static OutcomeCounts from(Values values) {
        return new OutcomeCounts(
                values.number("Sent", 0),
                values.number("Failed", 0),
                values.number("Skipped", 0),
                values.number("Unknown", 0),
                values.number("Bounced", 0),
                values.number("Complained", 0));
    }

    public void into(Values.Builder values) {
        values.put("Sent", sent).put("Failed", failed).put("Skipped", skipped).put("Unknown", unknown);
        values.put("Bounced", bounced == 0 ? null : bounced).put("Complained", complained == 0 ? null : complained);
    }

    public OutcomeCounts plus(Outcome outcome) {
        return plus(outcome, 1);
    }

    public OutcomeCounts minus(Outcome outcome) {
        return plus(outcome, -1);
    }

    public OutcomeCounts plus(OutcomeCounts other) {
        return new OutcomeCounts(
                sent + other.sent,
                failed + other.failed,
                skipped + other.skipped,
                unknown + other.unknown,
                bounced + other.bounced,
                complained + other.complained);
    }

    /** Counts feedback on a sent email: a complaint or a bounce. */
    public OutcomeCounts plusFeedback(boolean complaint) {
        return plus(new OutcomeCounts(0, 0, 0, 0, complaint ? 0 : 1, complaint ? 1 : 0));
    }

    public long of(Outcome outcome) {
        return switch (outcome) {
            case SENT -> sent;
            case FAILED -> failed;
            case SKIPPED -> skipped;
            case UNKNOWN -> unknown;
        };
    }

    /** Returns the number of recipients, each counted once regardless of feedback. */
    public long sum() {
        return sent + failed + skipped + unknown;
    }

    private OutcomeCounts plus(Outcome outcome, int n) {
        return plus(
                switch (outcome) {
                    case SENT -> new OutcomeCounts(n, 0, 0, 0);
                    case FAILED -> new OutcomeCounts(0, n, 0, 0);
                    case SKIPPED -> new OutcomeCounts(0, 0, n, 0);
                    case UNKNOWN -> new OutcomeCounts(0, 0, 0, n);
                });
    }
}
