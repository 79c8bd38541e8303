package org.azuremail.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Base64;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;
import org.springframework.security.web.header.Header;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.writers.StaticHeadersWriter;

/** Headers that keep out other sites' pages and scripts. A page that shows an email keeps the policy that it sets. */
public final class PageHeaders implements HeaderWriter {

    /** The policy of a document that shows foreign HTML in a frame of the service: no scripts, no forms, no origin. */
    public static final String MAIL_POLICY = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; "
            + "style-src 'unsafe-inline'; img-src https: http: data:; font-src https: data:; "
            + "form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

    private static final String PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; "
            + "base-uri 'none'; frame-ancestors 'none'";

    /** The policy of the pages of subscribers: no scripts. The styles of layouts are added by their hash. */
    private static final String SUBSCRIBER_POLICY = "default-src 'none'; img-src 'self' data:; form-action %s; "
            + "base-uri 'none'; frame-ancestors %s; style-src 'self'";

    private static final String POLICY = "Content-Security-Policy";

    /** Writes the headers that the answer does not have yet. */
    private static final HeaderWriter ALWAYS = new StaticHeadersWriter(List.of(
            new Header("Referrer-Policy", "no-referrer"),
            new Header("X-Content-Type-Options", "nosniff"),
            new Header("Cross-Origin-Opener-Policy", "same-origin"),
            new Header("Cross-Origin-Resource-Policy", "same-origin"),
            new Header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")));

    /**
     * Returns the policy of a page that subscribers see.
     *
     * @param styles the contents of its style elements
     * @param framed whether the page is only previewed, in a frame of the service
     */
    public static String ofSubscribers(List<String> styles, boolean framed) {
        StringBuilder policy = new StringBuilder(
                framed
                        ? SUBSCRIBER_POLICY.formatted("'none'", "'self'")
                        : SUBSCRIBER_POLICY.formatted("'self'", "'none'"));
        for (String style : styles) {
            policy.append(" 'sha256-")
                    .append(Base64.getEncoder().encodeToString(DigestUtils.sha256(style)))
                    .append('\'');
        }
        return policy.toString();
    }

    @Override
    public void writeHeaders(HttpServletRequest request, HttpServletResponse response) {
        ALWAYS.writeHeaders(request, response);
        if (response.getHeader(POLICY) == null) {
            response.setHeader(POLICY, PAGE_POLICY);
            response.setHeader("X-Frame-Options", "DENY");
        }
    }
}
