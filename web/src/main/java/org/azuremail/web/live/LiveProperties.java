package org.azuremail.web.live;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The limits of streams to open pages.
 *
 * @param maxStreams the most streams that a process keeps open; further pages poll at growing intervals. 0 switches
 *     streams off
 * @param fastest the interval at which a process polls a thing that changes
 * @param slowest the interval at which it polls a thing that has not changed for long
 * @param lifetime the longest life of a stream; a page that is still open requests a new one
 * @param beat the interval at which an idle stream is written to, so that proxies keep it open
 */
@Validated
@ConfigurationProperties("azuremail.live")
record LiveProperties(
        @DefaultValue("500") @Min(0) @Max(1500) int maxStreams,

        @DefaultValue("2s") @DurationMin(seconds = 1) @DurationMax(minutes = 1)
        Duration fastest,

        @DefaultValue("60s") @DurationMin(seconds = 1) @DurationMax(hours = 1)
        Duration slowest,

        @DefaultValue("1h") @DurationMin(seconds = 1) @DurationMax(hours = 1)
        Duration lifetime,

        @DefaultValue("25s") @DurationMin(seconds = 1) @DurationMax(minutes = 5)
        Duration beat) {

    LiveProperties {
        if (slowest.compareTo(fastest) < 0) {
            throw new IllegalArgumentException(
                    "azuremail.live.slowest must not be shorter than azuremail.live.fastest");
        }
    }
}
