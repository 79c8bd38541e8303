package org.azuremail.message;

import org.azuremail.storage.Values;

/** How many recipients ended how. */
public record OutcomeCounts(long sent, long failed, long skipped, long unknown) {

    public static final OutcomeCounts NONE = new OutcomeCounts(0, 0, 0, 0);

    /** The counts in a row's properties; what is missing is 0. */
    public static OutcomeCounts from(Values values) {
        return new OutcomeCounts(
                values.number("Sent", 0),
                values.number("Failed", 0),
                values.number("Skipped", 0),
                values.number("Unknown", 0));
    }

    /** Writes the counts into a row's properties. */
    public void into(Values.Builder values) {
        values.put("Sent", sent).put("Failed", failed).put("Skipped", skipped).put("Unknown", unknown);
    }

    public OutcomeCounts plus(Outcome outcome) {
        return plus(outcome, 1);
    }

    public OutcomeCounts minus(Outcome outcome) {
        return plus(outcome, -1);
    }

    public OutcomeCounts plus(OutcomeCounts other) {
        return new OutcomeCounts(
                sent + other.sent, failed + other.failed, skipped + other.skipped, unknown + other.unknown);
    }

    /** How many ended in this way. */
    public long of(Outcome outcome) {
        return switch (outcome) {
            case SENT -> sent;
            case FAILED -> failed;
            case SKIPPED -> skipped;
            case UNKNOWN -> unknown;
        };
    }

    /** All recipients that have an outcome. */
    public long sum() {
        return sent + failed + skipped + unknown;
    }

    private OutcomeCounts plus(Outcome outcome, int n) {
        return switch (outcome) {
            case SENT -> new OutcomeCounts(sent + n, failed, skipped, unknown);
            case FAILED -> new OutcomeCounts(sent, failed + n, skipped, unknown);
            case SKIPPED -> new OutcomeCounts(sent, failed, skipped + n, unknown);
            case UNKNOWN -> new OutcomeCounts(sent, failed, skipped, unknown + n);
        };
    }
}
