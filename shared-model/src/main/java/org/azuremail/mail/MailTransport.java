package org.azuremail.mail;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Hands mail to a provider; {@code docs/adding-a-transport.md} says how to write one. Safe for use from many threads.
 * A call ends within 20 seconds and one lot more of the provider's own time-outs. It never throws for what the provider answers:
 * a throw means {@link Answer.Unknown} for every mail of the lot.
 */
public interface MailTransport {

    /** Asked between mails where one call hands over one by one. */
    @FunctionalInterface
    interface Guard {
        /**
         * Returns whether the caller still owns the lot and wants to go on; when not, the rest is left {@link Answer.Untaken}.
         * A caller that holds a lease renews it here, so it is also asked while an answer is waited for.
         */
        boolean mayContinue();

        /**
         * The mail at this place of the lot is about to be written; whoever keeps a journal notes it here.
         *
         * @throws java.io.UncheckedIOException when it cannot be noted: the mail must not be written then, nor any after it
         */
        default void begins(int mail) {}

        /** Takes the answer for the email at this place, as soon as it is known. */
        default void answered(int mail, Answer answer) {}
    }

    /** For logs. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** The most mails that one call takes, at least 1: so many may be in doubt when a process dies in it. */
    int lotSize();

    /** The number of lots that make sense at the same time in one process, with room left for a confirmation in between. */
    default int concurrency() {
        return 8;
    }

    /**
     * Returns whether {@link #handOver} says {@link Guard#begins} before it writes a mail's content, each time: only then does a
     * journal that knows nothing of a mail prove that it never left.
     */
    default boolean tellsOfEachMail() {
        return false;
    }

    /**
     * Gets ready what takes time — a connection, mostly — before the caller commits to the hand-over.
     *
     * @param mayWait asked every few seconds of a long wait; when not, the transport is unavailable for now
     * @return why nothing can be handed over now, if so; nothing was sent either way
     */
    default Optional<Unavailable> prepare(BooleanSupplier mayWait) {
        return Optional.empty();
    }

    /**
     * Hands the mails over. No mail may leave twice in one call, whatever a client library would repeat.
     *
     * @param lot at most {@link #lotSize()} mails of one content
     * @param guard asked before each mail or request but the first
     * @return one answer for each mail, in the order of the lot
     */
    HandOver handOver(MailLot lot, Guard guard);
}
