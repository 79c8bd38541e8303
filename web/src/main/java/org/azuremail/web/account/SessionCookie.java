package org.azuremail.web.account;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** The cookie that carries a session's secret. */
public final class SessionCookie {

    private final boolean https;

    public SessionCookie(AzureMailProperties settings) {
        https = "https".equals(settings.publicUrl().getScheme());
    }

    /** The prefix makes browsers refuse the cookie from other hosts and over plain HTTP. */
    public String name() {
        return https ? "__Host-azuremail" : "azuremail";
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
        response.addHeader(HttpHeaders.SET_COOKIE, cookie(secret.text()).build().toString());
    }

    void remove(HttpServletResponse response) {
        response.addHeader(HttpHeaders.SET_COOKIE, cookie("").maxAge(0).build().toString());
    }

    private ResponseCookie.ResponseCookieBuilder cookie(String value) {
        return ResponseCookie.from(name(), value)
                .httpOnly(true)
                .secure(https)
                .sameSite("Lax")
                .path("/");
    }
}
