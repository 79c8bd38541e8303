package org.azuremail.blobset;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of jobs.
 *
 * @param keep how long the page <em>Jobs</em> shows an ended job and its result
 * @param keepFiles how long the file of an ended job can be downloaded, at least one hour and at most {@code keep}
 */
@Validated
@ConfigurationProperties("azuremail.jobs")
record JobProperties(
        @DefaultValue("30d") Duration keep,
        @DefaultValue("7d") @DurationMin(hours = 1) Duration keepFiles) {

    public JobProperties {
        Assert.isTrue(keep.compareTo(keepFiles) >= 0, "azuremail.jobs.keep must be at least azuremail.jobs.keep-files");
    }
}
