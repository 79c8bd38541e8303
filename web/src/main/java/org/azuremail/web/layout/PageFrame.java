package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.time.Year;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/** What the frame around every page shows. Calls of programs have no page, and nothing is made for them. */
@Component
final class PageFrame implements HandlerInterceptor {

    private static final String REDIRECT = "redirect:";

    private final MessageSource texts;
    private final Time time;
    private final AzureMailProperties settings;

    PageFrame(MessageSource texts, Time time, AzureMailProperties settings) {
        this.texts = texts;
        this.time = time;
        this.settings = settings;
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

    /** For pages that nothing is handled before, as those of what went wrong: whatever answers adds it to its model. */
    Map<String, @Nullable Object> around(HttpServletRequest request) {
        Principal me = request.getUserPrincipal();
        Map<String, @Nullable Object> frame = new HashMap<>();
        frame.put("me", me == null ? null : me.getName());
        frame.put("moments", new Moments(settings.zone()));
        frame.put("year", Year.from(time.instant().atZone(settings.zone())).getValue());
        frame.put("notice", notice(request.getParameter("notice")));
        return frame;
    }

    /** What was just done. Only known texts are shown: the address of a page cannot put words into our mouth. */
    private @Nullable String notice(@Nullable String code) {
        return code != null && code.matches("[a-z-]{1,40}")
                ? texts.getMessage("notice." + code, null, null, Locale.ROOT)
                : null;
    }
}
