package org.azuremail.subscription.transfer;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * An import of subscribers from a CSV file, with its progress so far.
 *
 * @param verified whether the file's people are subscribed at once
 * @param reason why it failed; none otherwise
 * @param listCreated when the list was created, because a new one of the same name is another list; {@code null} for an
 *     import that an older version started
 * @param total the number of rows of the file; {@code null} until they are counted
 * @param counts the rows that are done
 */
public record SubscriberImport(
        ImportId id,
        ListName list,
        @Nullable Instant listCreated,
        boolean verified,
        String startedBy,
        Instant startedAt,
        ImportFile file,
        State state,
        Reason reason,
        @Nullable Long total,
        Counts counts,
        @Nullable Instant finishedAt) {

    public enum State {
        RUNNING,
        COMPLETED,
        FAILED;

        /** Returns the word in the table and in the API. */
        public String stored() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The numbers of rows. They are exact, even after a crash: every row is imported, updated or refused.
     *
     * @param updated rows of people who were already on the list
     * @param refused rows that changed nothing, each with its reason in the file of refused rows
     * @param repeated updated rows whose address was in an earlier row of the file. For people who were on the list
     *     before the import, this includes only repetitions within {@code azuremail.import.chunk} rows
     * @param smtpUtf8 imported and updated rows whose address requires SMTPUTF8
     */
    public record Counts(long rows, long imported, long updated, long refused, long repeated, long smtpUtf8) {

        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

        /** Returns the number of rows of people who were on the list before the import. */
        public long known() {
            return updated - repeated;
        }
    }

    /** Returns whether the import is for this list, and not for an earlier one with the same name. */
    boolean isFor(MailingList now) {
        return listCreated == null || listCreated.equals(now.createdAt());
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
                listCreated,
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

    /**
     * The file of an import.
     *
     * @param content the hash of its content; {@code null} for an import that an older version started
     * @param name the file's name at its source, at most 200 characters; empty if unknown
     * @param chosen whether the encoding was given, not detected
     */
    public record ImportFile(@Nullable String content, String name, FileEncoding encoding, boolean chosen) {

        private static final int MAX_NAME_LENGTH = 200;

        public ImportFile {
            String line = name.replaceAll("\\p{Cntrl}+", " ").strip();
            name = Reason.truncate(line, MAX_NAME_LENGTH);
        }
    }

    /**
     * The id of an import; it cannot be guessed.
     *
     * @param value 22 characters of {@code A-Z a-z 0-9 - _}
     */
    public record ImportId(String value) {

        private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{22}");

        public ImportId {
            if (!FORM.matcher(value).matches()) {
                throw new IllegalArgumentException("not an import's id");
            }
        }

        public static Optional<ImportId> parse(String text) {
            return FORM.matcher(text).matches() ? Optional.of(new ImportId(text)) : Optional.empty();
        }

        @Override
        public String toString() {
            return value;
        }
    }
}
