package org.azuremail.app;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.azuremail.mail.DomainName;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of the product as a whole.
 *
 * @param storage the kind of storage for all data
 * @param dataDir the directory of the embedded storage and of local journals
 * @param publicUrl the URL of the web role as seen from outside, with which every link in an email begins; in ASCII,
 *     without a slash at its end
 * @param zone the time zone in which dates are shown and typed unless a message specifies its own
 * @param roles the tasks of this process
 */
@ConfigurationProperties("azuremail")
public record AzureMailProperties(
        @DefaultValue("embedded") StorageKind storage,
        @DefaultValue("./data") Path dataDir,
        @DefaultValue("http://localhost:8080") URI publicUrl,
        @DefaultValue("UTC") ZoneId zone,
        @DefaultValue({"web", "scheduler", "sender"}) Set<Role> roles) {

    public enum StorageKind {
        /** One SQLite file. */
        EMBEDDED,
        /** An Azure Storage account. */
        AZURE
    }

    /**
     * The longest public URL, in characters. The URL occurs in header lines, which have at most 998 characters and
     * cannot be folded inside it.
     */
    private static final int MAX_URL_LENGTH = 400;

    private static final Pattern PORT = Pattern.compile("(:\\d*)?");

    public AzureMailProperties {
        String url = publicUrl.toString();
        Assert.isTrue(
                "http".equals(publicUrl.getScheme()) || "https".equals(publicUrl.getScheme()),
                "azuremail.public-url must begin with http:// or https://, not " + url);
        Assert.isTrue(
                url.length() <= MAX_URL_LENGTH, "azuremail.public-url has more than " + MAX_URL_LENGTH + " characters");
        publicUrl = ascii(publicUrl, url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
    }

    /** Returns the reason why links in emails would not work for recipients elsewhere; empty if they work. */
    public Optional<LinkProblem> linkProblem() {
        return LinkProblem.of(publicUrl);
    }

    /** Returns the URL in the form of a header: the host by IDNA. */
    private static URI ascii(URI typed, String url) {
        String authority = typed.getRawAuthority();
        if (authority == null) {
            throw new IllegalArgumentException("azuremail.public-url must name a host: " + url);
        }
        int colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(':');
        String host = colon < 0 ? authority : authority.substring(0, colon);
        String ascii = DomainName.ascii(host)
                .orElseThrow(
                        () -> new IllegalArgumentException("azuremail.public-url: " + host + " is no name of a host"));
        String before = typed.getScheme() + "://";
        String after = url.substring(before.length() + host.length());
        Assert.isTrue(
                PORT.matcher(after).matches(),
                () -> "azuremail.public-url must end after the host and its port, not with " + after
                        + ": give the service a host name of its own, because its pages and buttons work at no other path");
        return URI.create(before + ascii + after);
    }
}
