package org.azuremail.web.security;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.azuremail.app.OutOfMemoryHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prepares the answers to failed requests. They have the headers of a page even if the request was refused before those
 * were written. They are rendered without the request's body, because the body may be what was refused. A call of the
 * API gets a problem instead of a page.
 */
record ErrorDispatchFilter(ApiProblems problems) implements Filter {

    private static final PageHeaders HEADERS = new PageHeaders();

    @Configuration(proxyBeanMethods = false)
    static class FilterConfiguration {

        @Bean
        FilterRegistrationBean<ErrorDispatchFilter> safeErrors(JsonMapper json) {
            var errors = new FilterRegistrationBean<>(new ErrorDispatchFilter(new ApiProblems(json)));
            errors.setDispatcherTypes(DispatcherType.ERROR);
            errors.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return errors;
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest failed = (HttpServletRequest) request;
        OutOfMemoryHandler.haltIfCausedBy((Throwable) failed.getAttribute(RequestDispatcher.ERROR_EXCEPTION));
        HttpServletResponse answer = (HttpServletResponse) response;
        HEADERS.writeHeaders(failed, answer);
        BodyLimitFilter.refusal(failed).ifPresent(status -> {
            failed.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, status.value());
            answer.setStatus(status.value());
        });
        String address = String.valueOf(failed.getAttribute(RequestDispatcher.ERROR_REQUEST_URI));
        if ((address + "/").startsWith("/api/")) {
            problems.failed(address, answer);
        } else {
            chain.doFilter(new WithoutBody(failed), response);
        }
    }

    /** A view of a request that hides its form. */
    private static final class WithoutBody extends HttpServletRequestWrapper {

        WithoutBody(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable String getContentType() {
            return null;
        }

        @Override
        public @Nullable String getParameter(String name) {
            return null;
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            return Map.of();
        }

        @Override
        public Enumeration<String> getParameterNames() {
            return Collections.emptyEnumeration();
        }

        @Override
        public String @Nullable [] getParameterValues(String name) {
            return null;
        }
    }
}
