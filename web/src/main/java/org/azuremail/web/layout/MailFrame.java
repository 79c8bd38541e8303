package org.azuremail.web.layout;

import org.azuremail.web.security.PageHeaders;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
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
        Document document = Jsoup.parse(html);
        document.outputSettings().prettyPrint(false);
        document.head().prependElement("base").attr("target", "_blank");
        return ResponseEntity.ok()
                .contentType(HTML)
                .header("Content-Security-Policy", PageHeaders.MAIL_POLICY)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .body(document.outerHtml());
    }
}
