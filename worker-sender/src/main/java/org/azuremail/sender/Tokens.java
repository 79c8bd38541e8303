package org.azuremail.sender;

import java.time.Duration;

/** Permission to hand over so many mails. */
@FunctionalInterface
interface Tokens {

    /** Zero when the mails may be handed over now; otherwise nothing was taken and this is how long to wait. */
    Duration take(int mails);

    /** How many of so many mails to hand over at once. */
    default int atOnce(int mails) {
        return mails;
    }
}
