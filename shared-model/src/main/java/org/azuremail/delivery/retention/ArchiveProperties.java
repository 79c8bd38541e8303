package org.azuremail.delivery.retention;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.Assert;

/**
 * The archive of outcomes.
 *
 * @param keep how long the outcomes of single recipients are kept after the end of their message; {@code null} to
 *     keep them permanently
 */
@ConfigurationProperties("azuremail.archive")
record ArchiveProperties(@Nullable Duration keep) {

    private static final Duration MIN_RETENTION = Duration.ofDays(30);

    public ArchiveProperties {
        Assert.isTrue(
                keep == null || keep.compareTo(MIN_RETENTION) >= 0, "azuremail.archive.keep must be at least 30d");
    }
}
