package org.azuremail.limit;

import java.time.Duration;
import org.springframework.util.Assert;

/**
 * The part of the limits that messages of one mail class may use. They leave the rest of a second's tokens to others
 * unless no other class takes them. They always leave the rest of a minute, hour and day.
 *
 * @param percent the percentage of what all messages may use, 1 to 100
 * @param ageing the longest time that the class waits for a second's tokens while others take them; after that it
 *     competes with them
 */
public record MessageShare(int percent, Duration ageing) {

    public static final MessageShare ALL = new MessageShare(100, Duration.ZERO);

    public MessageShare {
        Assert.isTrue(percent >= 1 && percent <= 100, () -> "a share is 1 to 100 percent, not " + percent);
    }

    boolean whole() {
        return percent == 100;
    }
}
