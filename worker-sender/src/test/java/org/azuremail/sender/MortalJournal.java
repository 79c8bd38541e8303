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

/** The journal of a process that may die. A dead process writes nothing. */
record MortalJournal(FileJournal journal, BooleanSupplier dead) implements Journal {

    private void live() {
        if (dead.getAsBoolean()) {
            throw new ProcessDied();
        }
    }

    @Override
    public String openLot(String whereabouts) {
        live();
        return journal.openLot(whereabouts);
    }

    @Override
    public void recordBegun(String lot, String row) {
        live();
        journal.recordBegun(lot, row);
    }

    @Override
    public void recordAnswer(String lot, String row, Answer answer) {
        live();
        journal.recordAnswer(lot, row, answer);
    }

    @Override
    public void endLot(String lot) {
        if (!dead.getAsBoolean()) {
            journal.endLot(lot);
        }
    }

    @Override
    public void forgetLot(String lot) {
        if (!dead.getAsBoolean()) {
            journal.forgetLot(lot);
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
