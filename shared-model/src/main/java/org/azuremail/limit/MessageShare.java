package org.azuremail.limit;

import java.time.Duration;

/**
 * The part of the limits that messages of one mail class may use. Of a second they leave the rest of the tokens unless nobody
 * else has taken them, of a minute, hour and day they leave it in any case.
 *
 * @param percent of what messages may use, 1 to 100
 * @param ageing how long it waits at most for tokens of a second that others take; from then on it takes its turn with them
 */
public record MessageShare(int percent, Duration ageing) {

    public static final MessageShare ALL = new MessageShare(100, Duration.ZERO);

    public MessageShare {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("a share is 1 to 100 percent, not " + percent);
        }
    }

    boolean whole() {
        return percent == 100;
    }
}
