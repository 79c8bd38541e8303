package org.azuremail.limit;

/** Gives permission to hand over a number of emails. */
@FunctionalInterface
public interface TokenSource {

    /**
     * Returns zero if the emails may be handed over now. Otherwise no tokens were taken, and the result is how long to
     * wait.
     */
    RateLimitWait take(int mails);

    /** Returns how many of these emails to hand over at once; at least 1. */
    default int maxAtOnce(int mails) {
        return mails;
    }

    /** Returns tokens for the emails of messages, which leave some tokens for single emails that a person waits for. */
    default TokenSource forMessages(MessageShare share) {
        return this;
    }
}
