package org.azuremail.sender;

import java.time.Duration;
import org.azuremail.limit.RateLimit;

/** The tokens of one provider's rate limit. */
record ProviderTokens(RateLimit limit) implements Tokens {

    @Override
    public Duration take(int mails) {
        return limit.take(mails);
    }

    @Override
    public int atOnce(int mails) {
        return limit.atOnce(mails);
    }
}
