package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/** The frame around every page. Calls of programs have no page and need no frame. */
@Component
final class PageFrame implements HandlerInterceptor {

    private static final String REDIRECT = "redirect:";

    private final MessageSource texts;
    private final Time time;
    private final AzureMailProperties settings;
    private final TransportDirectory mail;

    PageFrame(MessageSource texts, Time time, AzureMailProperties settings, TransportDirectory mail) {
        this.texts = texts;
        this.time = time;
        this.settings = settings;
        this.mail = mail;
    }

    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView page) {
        String view = page == null ? null : page.getViewName();
        if (page == null || view == null || view.startsWith(REDIRECT)) {
            return;
        }
        page.addAllObjects(around(request));
    }

    /** For error pages, which no handler prepares: the handler of the error adds it to the model. */
    Map<String, @Nullable Object> around(HttpServletRequest request) {
        boolean refused = request.getAttribute(NotHere.Told.OF_FILTER) != null;
        Principal me = refused ? null : request.getUserPrincipal();
        Instant now = time.instant();
        Map<String, @Nullable Object> frame = new HashMap<>();
        frame.put("me", me == null ? null : me.getName());
        frame.put("moments", new Moments(settings.zone(), now, texts, LocaleContextHolder.getLocale()));
        frame.put("outboxShown", mail.usesOutbox());
        return frame;
    }
}
