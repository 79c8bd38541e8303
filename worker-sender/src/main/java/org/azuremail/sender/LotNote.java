package org.azuremail.sender;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.journal.Journal;
import org.azuremail.mail.Answer;
import org.azuremail.mail.MailTransport;

/** One hand-over in the journal. */
final class LotNote {

    private final Journal journal;
    private final String id;
    private final List<WaitingRow> rows;

    /** @param id as the journal named it; empty when it notes nothing */
    LotNote(Journal journal, String id, List<WaitingRow> rows) {
        this.journal = journal;
        this.id = id;
        this.rows = rows;
    }

    /** What R names the hand-over by. */
    String id() {
        return id;
    }

    /** Notes what the transport says between its questions. */
    MailTransport.Guard guard(BooleanSupplier mayContinue) {
        return id.isEmpty() ? mayContinue::getAsBoolean : new Noting(mayContinue);
    }

    /** Nothing of the lot is under way any more. */
    void ends() {
        journal.ends(id);
    }

    /** Nobody will ask for it. */
    void forget() {
        journal.forgets(id);
    }

    private final class Noting implements MailTransport.Guard {

        private final BooleanSupplier mayContinue;

        private Noting(BooleanSupplier mayContinue) {
            this.mayContinue = mayContinue;
        }

        @Override
        public boolean mayContinue() {
            return mayContinue.getAsBoolean();
        }

        @Override
        public void begins(int mail) {
            journal.begins(id, rows.get(mail).rowKey());
        }

        @Override
        public void answered(int mail, Answer answer) {
            journal.answered(id, rows.get(mail).rowKey(), answer);
        }
    }
}
