package org.azuremail.blobset;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The settings of jobs.
 *
 * @param keep how long the page <em>Jobs</em> shows an ended job and its result
 * @param keepFiles how long the file of an ended job can be downloaded, at least one hour and at most {@code keep}
 */
@ConfigurationProperties("azuremail.jobs")
record JobProperties(
        @DefaultValue("30d") Duration keep,
        @DefaultValue("7d") Duration keepFiles) {

    public JobProperties {
        Assert.isTrue(keepFiles.compareTo(Duration.ofHours(1)) >= 0, "azuremail.jobs.keep-files must be at least 1h");
        Assert.isTrue(keep.compareTo(keepFiles) >= 0, "azuremail.jobs.keep must be at least azuremail.jobs.keep-files");
    }
}
