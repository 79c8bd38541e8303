package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.web.util.WebUtils;

/** A cookie that carries a secret: hidden from scripts and from other sites. */
public final class SecretCookie {

    /** The lifetime of a cookie that ends when the browser is closed. */
    static final Duration SESSION = Duration.ofSeconds(-1);

    private final boolean https;
    private final String name;
    private final Duration lifetime;

    SecretCookie(AzureMailProperties settings, String name, Duration lifetime) {
        this.https = "https".equals(settings.publicUrl().getScheme());
        this.name = name;
        this.lifetime = lifetime;
    }

    /**
     * Returns the name of the cookie. Its prefix makes browsers refuse the cookie from other hosts and over plain HTTP.
     */
    private String name() {
        return https ? "__Host-" + name : name;
    }

    public Optional<Secret> read(HttpServletRequest request) {
        return Optional.ofNullable(WebUtils.getCookie(request, name())).map(cookie -> new Secret(cookie.getValue()));
    }

    void write(HttpServletResponse response, Secret secret) {
        add(response, secret.text(), lifetime);
    }

    void remove(HttpServletResponse response) {
        add(response, "", Duration.ZERO);
    }

    private void add(HttpServletResponse response, String value, Duration maxAge) {
        ResponseCookie cookie = ResponseCookie.from(name(), value)
                .httpOnly(true)
                .secure(https)
                .sameSite("Lax")
                .path("/")
                .maxAge(maxAge)
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }
}
