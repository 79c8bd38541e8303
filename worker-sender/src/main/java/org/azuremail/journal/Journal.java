package org.azuremail.journal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;

/**
 * Notes which emails of which lot were begun, and their answers, so that they are still known on this host after the
 * process has died. A note is written when the call returns, whatever happens to the process; a host that goes down may
 * lose it. Safe for use from many threads.
 *
 * <p>By default, the methods note nothing.
 */
public interface Journal {

    /** A journal that notes nothing, so that a lapsed lot is in doubt as a whole. */
    Journal NONE = new Journal() {};

    /**
     * An email that the provider took from a process that has died.
     *
     * @param location of its lot, as passed to {@link #openLot}
     * @param notAfter an instant before which it was taken
     */
    record TakenMail(String location, String row, String providerId, Instant notAfter) {}

    /**
     * Called before a lot is announced and handed over.
     *
     * @param location which lot of which shard; {@link #acceptedForDeadProcesses} returns it
     * @return the lot's name; empty when it cannot be noted, so that later notes on it are ignored
     */
    default String openLot(String location) {
        return "";
    }

    /**
     * Called before an email's content is written.
     *
     * @throws java.io.UncheckedIOException when this cannot be noted and the journal stays, so that the email must
     *     not be written
     */
    default void recordBegun(String lot, String row) {}

    /** Notes the answer to an email. */
    default void recordAnswer(String lot, String row, Answer answer) {}

    /** Called when this process writes nothing more of the lot. */
    default void endLot(String lot) {}

    /** Called when no sender will ask for this lot any more. */
    default void forgetLot(String lot) {}

    /**
     * Returns the notes on a lot that a process began and did not finish.
     *
     * @return empty when this host has no notes on it, usually because another host handed it over: then the whole
     *     lot is in doubt
     */
    default Optional<LotNotes> find(String lot) {
        return Optional.empty();
    }

    /**
     * Returns the emails that the provider took from dead processes of this host, from lots that a sender may still ask
     * for.
     */
    default List<TakenMail> acceptedForDeadProcesses() {
        return List.of();
    }

    /**
     * Called when everything that {@link #acceptedForDeadProcesses} returned is in the storage. Until then, none of it
     * is deleted, however old.
     */
    default void markReported() {}
}
