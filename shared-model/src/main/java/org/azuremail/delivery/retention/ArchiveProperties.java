package org.azuremail.delivery.retention;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

/**
 * The archive of outcomes.
 *
 * @param keep how long the outcomes of single recipients are kept after the end of their message; {@code null} to
 *     keep them permanently
 */
@Validated
@ConfigurationProperties("azuremail.archive")
record ArchiveProperties(@DurationMin(days = 30) @Nullable Duration keep) {}
