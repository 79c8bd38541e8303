package org.azuremail.journal;

import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;

/**
 * Which mails of which lot were begun, and what was answered: known on this host after the process is gone. Safe for use from
 * many threads. A note stands when the call returns, whatever becomes of the process; a host that goes down may lose it.
 */
public interface Journal {

    /** Notes nothing: a lot that lapses is in doubt as a whole. */
    Journal NONE = new NoJournal();

    /**
     * A lot is about to be announced and handed over.
     *
     * @param whereabouts which lot of what; handed back by {@link #takenByTheDead}
     * @return its name; empty when it cannot be noted, and all that is said of it later is ignored
     */
    String opens(String whereabouts);

    /**
     * A mail's content is about to be written.
     *
     * @throws java.io.UncheckedIOException when that can neither be noted nor the journal be made void: the mail must not be
     *     written
     */
    void begins(String lot, String row);

    /** Notes the answer to an email. */
    void answered(String lot, String row, Answer answer);

    /** Nothing of this lot will be written any more by this process. */
    void ends(String lot);

    /** Nobody will ask for this lot any more. */
    void forgets(String lot);

    /**
     * The notes on a lot that somebody began and did not finish.
     *
     * @return empty when nothing is known of it here: another host's lot, mostly; then all of it is in doubt
     */
    Optional<LotNotes> find(String lot);

    /** The emails that the provider took from dead processes of this host, of lots that somebody may ask for. */
    List<TakenMail> takenByTheDead();

    /** All that {@link #takenByTheDead} said is in the storage now; until then nothing of it is removed, however old. */
    void told();
}
