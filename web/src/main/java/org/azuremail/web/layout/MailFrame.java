package org.azuremail.web.layout;

import java.util.regex.Pattern;
import org.azuremail.content.HtmlOutline;
import org.azuremail.web.security.PageHeaders;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * The HTML of an email as a document for a frame. It runs no scripts, belongs to no origin, and opens its links outside
 * the frame, because our own pages refuse to be in a frame.
 */
public final class MailFrame {

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

    private static final Pattern SCHEME =
            Pattern.compile("\\(\\s*prefers-color-scheme\\s*:\\s*(dark|light)\\s*\\)", Pattern.CASE_INSENSITIVE);

    private MailFrame() {}

    public static ResponseEntity<String> of(String html) {
        return of(html, false);
    }

    /**
     * Returns the HTML as a mail program with a dark or light theme shows it, whatever the theme of the browser.
     *
     * @param dark whether rules for dark apply, and text without a colour of its own is light
     */
    public static ResponseEntity<String> of(String html, boolean dark) {
        String scheme = dark ? "dark" : "light";
        String shown = SCHEME.matcher(html)
                .replaceAll(found -> found.group(1).equalsIgnoreCase(scheme) ? "(min-width:0)" : "(max-width:0)");
        int start = HtmlOutline.of(shown).start();
        String framed = shown.substring(0, start)
                + "<base target=\"_blank\"><style>:root{color-scheme:only " + scheme + "}</style>"
                + shown.substring(start);
        return ResponseEntity.ok()
                .contentType(HTML)
                .header("Content-Security-Policy", PageHeaders.MAIL_POLICY)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .body(framed);
    }
}
