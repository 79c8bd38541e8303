package org.azuremail.app;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the product as a whole.
 *
 * @param storage where everything is kept
 * @param dataDir directory of the embedded storage and of local journals
 * @param publicUrl how the outside reaches the web role: the beginning of every link in a mail, without a slash at its
 *     end
 * @param zone time zone in which dates are shown and typed unless a message names its own
 * @param roles what this process does
 */
@ConfigurationProperties("azuremail")
public record AzureMailProperties(
        @DefaultValue("embedded") StorageKind storage,
        @DefaultValue("./data") Path dataDir,
        @DefaultValue("http://localhost:8080") URI publicUrl,
        @DefaultValue("UTC") ZoneId zone,
        @DefaultValue({"web", "scheduler", "sender"}) Set<Role> roles) {

    /** The back ends. */
    public enum StorageKind {
        /** One SQLite file. */
        EMBEDDED,
        /** An Azure Storage account. */
        AZURE
    }

    public AzureMailProperties {
        String url = publicUrl.toString();
        if (!("http".equals(publicUrl.getScheme()) || "https".equals(publicUrl.getScheme()))) {
            throw new IllegalArgumentException("azuremail.public-url must begin with http:// or https://, not " + url);
        }
        publicUrl = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
    }
}
