package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.validation.BindingResult;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * Puts the frame around every page. A form that is shown again because of errors says so in its title and its status.
 */
@Component
record PageFrame(
        MessageSourceAccessor texts,
        Time time,
        AzureMailProperties settings,
        TransportDirectory transports,
        Icons icons,
        IdempotentForms forms,
        MenuCounts counts)
        implements HandlerInterceptor {

    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView page) {
        if (page == null || page.getViewName() == null || page.getViewName().startsWith("redirect:")) {
            return;
        }
        boolean refused = page.getModel().values().stream()
                .anyMatch(value -> value instanceof BindingResult result && result.hasErrors());
        if (refused) {
            page.addObject("refused", true);
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        }
        page.addAllObjects(around(request));
        if (!ErrorPages.PAGE.equals(page.getViewName())) {
            page.addObject("menuCounts", counts);
        }
    }

    /** Returns the contents of the frame. Error handlers add them to their models. */
    Map<String, @Nullable Object> around(HttpServletRequest request) {
        boolean refused = request.getAttribute(PageNotFoundException.ErrorText.FILTER_ATTRIBUTE) != null;
        // After a storage failure, another call would fail again, perhaps after a long time, and prevent this page.
        boolean unknown = ErrorPages.storageFailure(request).isPresent();
        Principal me = refused || unknown ? null : request.getUserPrincipal();
        Map<String, @Nullable Object> frame = new HashMap<>();
        frame.put("me", me == null ? null : me.getName());
        frame.put("moments", new Moments(settings.zone(), time.instant(), texts));
        frame.put("icons", icons);
        frame.put("codes", new Codes());
        frame.put("sentOnce", forms);
        frame.put("outboxShown", me != null && transports.usesOutbox());
        return frame;
    }
}
