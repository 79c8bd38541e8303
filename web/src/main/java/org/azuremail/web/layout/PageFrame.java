package org.azuremail.web.layout;

import java.security.Principal;
import java.time.Year;
import java.util.Locale;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** What the frame around every page shows. */
@ControllerAdvice(annotations = Controller.class)
class PageFrame {

    private final MessageSource texts;
    private final Time time;
    private final AzureMailProperties settings;

    PageFrame(MessageSource texts, Time time, AzureMailProperties settings) {
        this.texts = texts;
        this.time = time;
        this.settings = settings;
    }

    @ModelAttribute("me")
    @Nullable
    String me(@Nullable Principal principal) {
        return principal == null ? null : principal.getName();
    }

    @ModelAttribute("moments")
    Moments moments() {
        return new Moments(settings.zone());
    }

    @ModelAttribute("year")
    int year() {
        return Year.from(time.instant().atZone(settings.zone())).getValue();
    }

    /** What was just done. Only known texts are shown: the address of a page cannot put words into our mouth. */
    @ModelAttribute("notice")
    @Nullable
    String notice(@RequestParam(name = "notice", required = false) @Nullable String code) {
        return code != null && code.matches("[a-z-]{1,40}")
                ? texts.getMessage("notice." + code, null, null, Locale.ROOT)
                : null;
    }
}
