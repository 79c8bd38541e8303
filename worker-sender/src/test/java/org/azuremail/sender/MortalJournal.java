package org.azuremail.sender;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.azuremail.journal.FileJournal;
import org.azuremail.journal.Journal;
import org.azuremail.journal.Journal.TakenMail;
import org.azuremail.journal.LotNotes;
import org.azuremail.mail.Answer;
import org.azuremail.storage.simulated.ProcessDied;

/** The journal as a process sees it: a dead one writes nothing. */
record MortalJournal(FileJournal journal, BooleanSupplier dead) implements Journal {

    private void live() {
        if (dead.getAsBoolean()) {
            throw new ProcessDied();
        }
    }

    @Override
    public String opens(String whereabouts) {
        live();
        return journal.opens(whereabouts);
    }

    @Override
    public void begins(String lot, String row) {
        live();
        journal.begins(lot, row);
    }

    @Override
    public void answered(String lot, String row, Answer answer) {
        live();
        journal.answered(lot, row, answer);
    }

    @Override
    public void ends(String lot) {
        if (!dead.getAsBoolean()) {
            journal.ends(lot);
        }
    }

    @Override
    public void forgets(String lot) {
        if (!dead.getAsBoolean()) {
            journal.forgets(lot);
        }
    }

    @Override
    public Optional<LotNotes> find(String lot) {
        live();
        return journal.find(lot);
    }

    @Override
    public List<TakenMail> acceptedForDeadProcesses() {
        live();
        return journal.acceptedForDeadProcesses();
    }

    @Override
    public void markReported() {
        live();
        journal.markReported();
    }
}
