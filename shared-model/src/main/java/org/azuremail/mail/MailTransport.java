package org.azuremail.mail;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Hands emails over to a provider; {@code docs/adding-a-transport.md} explains how to write a transport. Safe for use
 * from many threads. A call ends within 20 seconds plus the provider's time-outs for one lot. Answers of the provider
 * never cause an exception: an exception means {@link Answer.Unknown} for every email of the lot.
 */
public interface MailTransport {

    /** The caller's control over a call that hands emails over one by one. */
    @FunctionalInterface
    interface Guard {
        /**
         * Returns whether the caller still owns the lot and wants to continue; if not, the remaining emails are {@link
         * Answer.NotAttempted}. A caller with a lease renews it here, so transports also call this while they wait for
         * an answer.
         */
        boolean mayContinue();

        /**
         * Announces that the email at this place of the lot is about to be written. A caller that keeps a journal
         * records it here.
         *
         * @throws java.io.UncheckedIOException if it cannot be recorded: neither this email nor a later one may be
         *     written then
         */
        default void begins(int mail) {}

        /** Receives the answer for the email at this place, as soon as it is known. */
        default void answered(int mail, Answer answer) {}
    }

    /** Returns the name for logs. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Returns the most emails of one call, at least 1. That many may be in doubt when a process dies during the call.
     */
    int lotSize();

    /**
     * Returns the number of lots that one process should hand over at the same time, with room left for a confirmation
     * in between.
     */
    default int concurrency() {
        return 8;
    }

    /**
     * Returns whether {@link #handOver} calls {@link Guard#begins} before each email's content is written. Only then
     * does the absence of an email from a journal prove that it was not sent.
     */
    default boolean reportsEachEmail() {
        return false;
    }

    /**
     * Prepares a hand-over, mostly by opening a connection, before the caller commits to it.
     *
     * @param mayWait asked every few seconds of a long wait; if it returns false, the transport is unavailable for now
     * @return the reason why nothing can be handed over now, if any; nothing is sent in either case
     */
    default Optional<Unavailable> prepare(BooleanSupplier mayWait) {
        return Optional.empty();
    }

    /**
     * Hands the emails over. No email may be sent twice by one call, even through retries of a client library.
     *
     * @param lot at most {@link #lotSize()} emails of one content
     * @param guard asked before each email or request except the first
     * @return one answer for each email, in the order of the lot
     */
    HandOverResult handOver(MailLot lot, Guard guard);
}
