package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.validation.BindingResult;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/** A form that is shown again because of errors says so in the page's title and in the status. */
final class RefusedForms implements HandlerInterceptor {

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
    }
}
