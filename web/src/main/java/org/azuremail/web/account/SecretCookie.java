package org.azuremail.web.account;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** A cookie that carries a secret: hidden from scripts, kept from other sites. */
abstract class SecretCookie {

    /** Until the browser is closed. */
    static final Duration SESSION = Duration.ofSeconds(-1);

    private final boolean https;
    private final String name;
    private final Duration lifetime;

    SecretCookie(AzureMailProperties settings, String name, Duration lifetime) {
        this.https = "https".equals(settings.publicUrl().getScheme());
        this.name = name;
        this.lifetime = lifetime;
    }

    /** The prefix makes browsers refuse the cookie from other hosts and over plain HTTP. */
    public String name() {
        return https ? "__Host-" + name : name;
    }

    /** The secret that the browser sent. */
    public Optional<Secret> read(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(name()))
                        .map(cookie -> new Secret(cookie.getValue()))
                        .findFirst();
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
