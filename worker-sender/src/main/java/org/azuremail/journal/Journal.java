package org.azuremail.journal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;

/**
 * Notes which mails of which lot were begun, and the answers: after the process is gone, they are still known on this host. A note is
 * there when the call returns, whatever happens to the process; a host that goes down may lose it. Safe for use from many threads.
 *
 * <p>Without an implementation, a method notes nothing.
 */
public interface Journal {

    /** Notes nothing: a lot that lapses is in doubt as a whole. */
    Journal NONE = new Journal() {};

    /**
     * A mail that the provider took from a process that is dead.
     *
     * @param whereabouts of its lot, as {@link #opens} got it
     * @param row its row key
     * @param notAfter it was taken before
     */
    record TakenMail(String whereabouts, String row, String providerId, Instant notAfter) {}

    /**
     * A lot is about to be announced and handed over.
     *
     * @param whereabouts which lot of which shard; {@link #takenByTheDead} returns it
     * @return the lot's name; empty when it cannot be noted: then later notes on it are ignored
     */
    default String opens(String whereabouts) {
        return "";
    }

    /**
     * A mail's content is about to be written.
     *
     * @throws java.io.UncheckedIOException when this cannot be noted and the journal stays: then the mail must not be written
     */
    default void begins(String lot, String row) {}

    /** Notes the answer to a mail. */
    default void answered(String lot, String row, Answer answer) {}

    /** This process writes nothing more of the lot. */
    default void ends(String lot) {}

    /** Nobody will ask for this lot any more. */
    default void forgets(String lot) {}

    /**
     * The notes on a lot that a process began and did not finish.
     *
     * @return empty when nothing is known of it here, mostly because another host handed it over: then all of it is in doubt
     */
    default Optional<LotNotes> find(String lot) {
        return Optional.empty();
    }

    /** The mails that the provider took from dead processes of this host, from lots that a sender may still ask for. */
    default List<TakenMail> takenByTheDead() {
        return List.of();
    }

    /** Everything that {@link #takenByTheDead} returned is in the storage now; until then none of it is removed, however old. */
    default void told() {}
}
