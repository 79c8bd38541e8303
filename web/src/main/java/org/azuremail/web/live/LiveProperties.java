package org.azuremail.web.live;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of streams to open pages.
 *
 * @param maxStreams how many a process keeps open; other pages ask at growing intervals. 0 for no streams at all
 * @param fastest how often a thing that changes is looked at
 * @param slowest how often one that has not changed for long
 * @param lifetime after so long a stream ends, and a page that is still open asks for a new one
 * @param beat how often something is written to a stream on which nothing happens, so that proxies keep it
 */
@ConfigurationProperties("azuremail.live")
record LiveProperties(
        @DefaultValue("500") int maxStreams,
        @DefaultValue("2s") Duration fastest,
        @DefaultValue("60s") Duration slowest,
        @DefaultValue("1h") Duration lifetime,
        @DefaultValue("25s") Duration beat) {

    LiveProperties {
        if (maxStreams < 0 || maxStreams > 1500) {
            throw new IllegalArgumentException("azuremail.live.max-streams must be 0 to 1500, not " + maxStreams);
        }
        check("fastest", fastest, Duration.ofMinutes(1));
        check("slowest", slowest, Duration.ofHours(1));
        check("lifetime", lifetime, Duration.ofHours(1));
        check("beat", beat, Duration.ofMinutes(5));
        if (slowest.compareTo(fastest) < 0) {
            throw new IllegalArgumentException(
                    "azuremail.live.slowest must not be shorter than azuremail.live.fastest");
        }
    }

    private static void check(String name, Duration value, Duration most) {
        if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "azuremail.live." + name + " must be 1 second to " + most + ", not " + value);
        }
    }
}
