package org.azuremail.subscription.transfer;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of imports.
 *
 * @param maxFile the largest file
 * @param parallelism how many shards of a list are written at the same time
 * @param chunk how many rows are in memory at once; between chunks, an import checks whether to stop
 * @param keep how long a finished import and its refused rows are kept
 * @param most how many finished imports are kept; older ones are deleted early
 */
@Validated
@ConfigurationProperties("azuremail.import")
record ImportProperties(
        @DefaultValue("512MB") DataSize maxFile,
        @DefaultValue("4") @Min(1) @Max(32) int parallelism,
        @DefaultValue("20000") @Min(1) @Max(100_000) int chunk,
        @DefaultValue("90d") Duration keep,
        @DefaultValue("1000") @Min(1) @Max(10_000) int most) {}
