package org.azuremail.web.message;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long an admin can take back a message.
 *
 * @param undo the time from <em>Send</em> on a page until the message is due; zero for none, at most ten minutes
 */
@ConfigurationProperties("azuremail.message")
record UndoProperties(@DefaultValue("30s") Duration undo) {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    UndoProperties {
        if (undo.isNegative() || undo.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("azuremail.message.undo must lie between 0s and 10m");
        }
    }
}
