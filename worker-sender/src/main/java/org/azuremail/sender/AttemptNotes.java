package org.azuremail.sender;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.journal.Journal;
import org.azuremail.mail.MailTransport;

/** What one attempt at a range has in the journal: as long as R may name one of its hand-overs, somebody may ask for it. */
final class AttemptNotes {

    private final Journal journal;
    private final RangeAttempt attempt;
    private final List<LotNote> notes = new ArrayList<>();

    AttemptNotes(Journal journal, RangeAttempt attempt) {
        this.journal = journal;
        this.attempt = attempt;
    }

    /**
     * Notes a hand-over, before R announces it. Where the transport does not tell of each mail, nothing could be concluded
     * from what is not noted.
     */
    LotNote open(MailTransport transport, List<WaitingRow> rows) {
        if (!transport.tellsOfEachMail()) {
            return new LotNote(Journal.NONE, "", rows);
        }
        String whereabouts =
                LateAnswers.whereabouts(attempt.key(), attempt.range().generation());
        LotNote note = new LotNote(journal, journal.opens(whereabouts), rows);
        notes.add(note);
        return note;
    }

    /** The attempt is over. */
    void leave() {
        if (!attempt.mayBeHanding()) {
            notes.forEach(LotNote::forget);
        }
    }
}
