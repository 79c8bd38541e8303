package org.azuremail.sender;

import org.azuremail.limit.Wait;

/** Permission to hand over so many mails. */
@FunctionalInterface
interface Tokens {

    /** Zero when the mails may be handed over now; otherwise nothing was taken and this is how long to wait. */
    Wait take(int mails);

    /** How many of so many mails to hand over at once. */
    default int atOnce(int mails) {
        return mails;
    }
}
