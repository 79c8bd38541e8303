package org.azuremail.web.layout;

import org.azuremail.content.HtmlOutline;
import org.azuremail.web.security.PageHeaders;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * The HTML of a mail as a document for a frame: nothing in it runs, it belongs to no origin, and its links open beside
 * the page, because our own pages refuse to stand in a frame.
 */
public final class MailFrame {

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

    private MailFrame() {}

    public static ResponseEntity<String> of(String html) {
        int start = HtmlOutline.of(html).start();
        String framed = html.substring(0, start) + "<base target=\"_blank\">" + html.substring(start);
        return ResponseEntity.ok()
                .contentType(HTML)
                .header("Content-Security-Policy", PageHeaders.MAIL_POLICY)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .body(framed);
    }
}
