package org.azuremail.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.springframework.security.web.header.HeaderWriter;

/**
 * Headers that keep other people's pages and scripts out. A page that shows a mail sets a policy of its own, which
 * stays.
 */
public final class PageHeaders implements HeaderWriter {

    /** For a document that shows somebody's HTML in a frame of ours: no scripts, no forms, no origin. */
    public static final String MAIL_POLICY = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; "
            + "style-src 'unsafe-inline'; img-src https: http: data:; font-src https: data:; "
            + "form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

    private static final String PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; "
            + "base-uri 'none'; frame-ancestors 'none'";

    private static final String POLICY = "Content-Security-Policy";

    private static final Map<String, String> ALWAYS = Map.of(
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");

    @Override
    public void writeHeaders(HttpServletRequest request, HttpServletResponse response) {
        ALWAYS.forEach(response::setHeader);
        if (response.getHeader(POLICY) == null) {
            response.setHeader(POLICY, PAGE_POLICY);
            response.setHeader("X-Frame-Options", "DENY");
        }
    }
}
