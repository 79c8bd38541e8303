package org.azuremail.limit;

/** Permission to hand over so many mails. */
@FunctionalInterface
public interface Tokens {

    /** Zero when the mails may be handed over now; otherwise nothing was taken and this is how long to wait. */
    Wait take(int mails);

    /** Returns how many of these mails to hand over at once; at least 1. */
    default int atOnce(int mails) {
        return mails;
    }

    /** The same for the mails of messages, which leave some tokens for single mails that a person waits for. */
    default Tokens forMessages(MessageShare share) {
        return this;
    }
}
