package org.azuremail.subscription.transfer;

import java.time.Instant;
import java.util.Locale;
import org.azuremail.list.ListName;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * An import of subscribers from a CSV file, as far as it has come.
 *
 * @param verified whether the file's people are subscribed at once
 * @param reason why it failed; none otherwise
 * @param total how many rows the file has; {@code null} until it has been looked through
 * @param counts rows done so far; at the end, all
 */
public record SubscriberImport(
        ImportId id,
        ListName list,
        boolean verified,
        String startedBy,
        Instant startedAt,
        ImportFile file,
        State state,
        Reason reason,
        @Nullable Long total,
        Counts counts,
        @Nullable Instant finishedAt) {

    /** The states of an import. */
    public enum State {
        RUNNING,
        COMPLETED,
        FAILED;

        /** The word in the table and in the API. */
        public String stored() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Exact, also after a crash: every row is imported, updated or refused.
     *
     * @param imported who was not on the list before
     * @param updated who was
     * @param refused rows that changed nothing, each with its reason in the file of refused rows
     * @param repeated those of the updated whose address an earlier row of the file brought, and which changed that again.
     *     Of people who were on the list before it is only told within {@code azuremail.import.chunk} rows
     * @param smtpUtf8 those of the imported and updated whose address takes servers that know SMTPUTF8
     */
    public record Counts(long rows, long imported, long updated, long refused, long repeated, long smtpUtf8) {

        static final Counts NONE = new Counts(0, 0, 0, 0);

        Counts(long rows, long imported, long updated, long refused) {
            this(rows, imported, updated, refused, 0, 0);
        }

        /** Rows that were about somebody who was on the list before the import; the import's page shows it. */
        public long known() {
            return updated - repeated;
        }
    }

    SubscriberImport checked(long rowsOfTheFile) {
        return with(state, reason, rowsOfTheFile, counts, finishedAt);
    }

    SubscriberImport advancedTo(Counts reached) {
        return with(state, reason, total, reached, finishedAt);
    }

    SubscriberImport completed(Instant now) {
        return with(State.COMPLETED, Reason.NONE, total, counts, now);
    }

    SubscriberImport failed(Reason why, Instant now) {
        return with(State.FAILED, why, total, counts, now);
    }

    private SubscriberImport with(
            State newState,
            Reason newReason,
            @Nullable Long newTotal,
            Counts newCounts,
            @Nullable Instant newFinishedAt) {
        return new SubscriberImport(
                id,
                list,
                verified,
                startedBy,
                startedAt,
                file,
                newState,
                newReason,
                newTotal,
                newCounts,
                newFinishedAt);
    }
}
