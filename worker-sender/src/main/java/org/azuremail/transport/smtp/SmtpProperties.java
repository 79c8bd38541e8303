package org.azuremail.transport.smtp;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.util.Locale;
import org.azuremail.mail.TransportKind.SecretSetting;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The SMTP server that takes the emails.
 *
 * @param host its name
 * @param port its port; on 465 the connection is encrypted from its beginning
 * @param username signs in if it is set
 * @param password belongs to the username
 * @param starttls whether the connection is encrypted after the greeting
 * @param connections the largest number of open connections of each process
 */
@Validated
@ConfigurationProperties("azuremail.mail.smtp")
public record SmtpProperties(
        @NotBlank(message = "must name the SMTP server") @Nullable
        String host,

        @DefaultValue("587") @Min(1) @Max(65535) int port,
        @Nullable String username,
        @SecretSetting @Nullable String password,
        @DefaultValue("auto") Starttls starttls,
        @DefaultValue("10") @Min(1) @Max(200) int connections) {

    /** The port on which the connection is encrypted from its beginning. */
    private static final int IMPLICIT_TLS = 465;

    /** Whether STARTTLS is used; {@code true} and {@code false} mean {@link #ON} and {@link #OFF}. */
    public enum Starttls {
        /** Used if a server on another machine offers it; required before a password is sent to such a server. */
        AUTO,
        /** Required. */
        ON,
        /** Never. */
        OFF
    }

    boolean signsIn() {
        return username != null && !username.isBlank();
    }

    boolean implicitTls() {
        return port == IMPLICIT_TLS;
    }

    boolean tlsWanted() {
        return starttls == Starttls.ON || (starttls == Starttls.AUTO && !loopback());
    }

    boolean tlsRequired() {
        return starttls == Starttls.ON || (starttls == Starttls.AUTO && signsIn() && !loopback());
    }

    private boolean loopback() {
        String name = host == null ? "" : host.toLowerCase(Locale.ROOT);
        return name.equals("localhost") || name.startsWith("127.") || name.equals("::1");
    }

    /** Returns the server's host and port, to be shown to admins. */
    String server() {
        return host + ":" + port;
    }

    /** Returns a text that does not contain the password. */
    @Override
    public String toString() {
        return "SmtpProperties[" + server() + ", username=" + username + ", starttls=" + starttls + ", connections="
                + connections + "]";
    }
}
