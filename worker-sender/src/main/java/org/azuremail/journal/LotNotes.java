package org.azuremail.journal;

import java.util.Map;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The notes of a journal on one lot.
 *
 * @param complete whether an email that is not noted was not begun and never will be, because no note is lost and
 *     the writer has died
 * @param lines the last line of each email, by row key
 */
public record LotNotes(boolean complete, Map<String, JournalLine> lines) {

    public sealed interface Fate {

        record Sent(String providerId) implements Fate {}

        record Failed(Reason reason) implements Fate {}

        /** The email did not leave, or nothing of it was taken. */
        record NotSent() implements Fate {}

        record InDoubt() implements Fate {}
    }

    public LotNotes {
        lines = Map.copyOf(lines);
    }

    /** Returns the fate of an email. An answer always counts; a missing answer counts only in a complete journal. */
    public Fate fate(String row) {
        JournalLine line = lines.get(row);
        JournalLine.@Nullable Kind last = line == null ? null : line.kind();
        if (line != null && last == JournalLine.Kind.SENT) {
            return new Fate.Sent(line.text());
        }
        if (line != null && last == JournalLine.Kind.FAILED) {
            return new Fate.Failed(Reason.read(line.text()));
        }
        boolean left = last == JournalLine.Kind.BEGUN || last == JournalLine.Kind.UNKNOWN;
        return left || !complete ? new Fate.InDoubt() : new Fate.NotSent();
    }
}
