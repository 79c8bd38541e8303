package org.azuremail.sender;

import org.azuremail.limit.RateLimit;
import org.azuremail.limit.Wait;

/** The tokens of one provider's limits. */
record ProviderTokens(RateLimit limit) implements Tokens {

    @Override
    public Wait take(int mails) {
        return limit.take(mails);
    }

    @Override
    public int atOnce(int mails) {
        return limit.atOnce(mails);
    }
}
