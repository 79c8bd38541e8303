package org.azuremail.web.message;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/** Remembers for a year, in the author's browser, whether the author writes in blocks or in Markdown. */
final class EditorCookie {

    static final String NAME = "azuremail-editor";

    private EditorCookie() {}

    static void remember(MessageForm form, HttpServletResponse response) {
        if (form.markdownWritten() != null && form.format() != null) {
            ResponseCookie cookie = ResponseCookie.from(NAME, form.format())
                    .path("/messages")
                    .httpOnly(true)
                    .sameSite("Lax")
                    .maxAge(Duration.ofDays(365))
                    .build();
            response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
        }
    }
}
