package org.azuremail.web.security;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers API calls that are refused before their handler is found, or that fail on the way, with a problem too, not with a
 * page of the container.
 */
record ApiErrors(ApiProblems problems) implements Filter {

    private static final String ADDRESS =
            "The address of this call cannot be taken: it has an empty part, or an encoded"
                    + " slash, or another character that no address of ours has.";

    @Configuration(proxyBeanMethods = false)
    static class OfTheApi {

        @Bean
        FilterRegistrationBean<ApiErrors> apiErrors(JsonMapper json) {
            var errors = new FilterRegistrationBean<>(new ApiErrors(new ApiProblems(json)));
            errors.setDispatcherTypes(DispatcherType.ERROR);
            errors.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
            return errors;
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String address = String.valueOf(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI));
        if (!(address + "/").startsWith("/api/")) {
            chain.doFilter(request, response);
            return;
        }
        HttpServletResponse answer = (HttpServletResponse) response;
        HttpStatus status = HttpStatus.resolve(answer.getStatus());
        HttpStatus told = status == null || !status.isError() ? HttpStatus.INTERNAL_SERVER_ERROR : status;
        problems.write(address, answer, told, detail(told));
    }

    private static String detail(HttpStatus status) {
        return switch (status) {
            case BAD_REQUEST -> ADDRESS;
            case INTERNAL_SERVER_ERROR -> "Something is wrong here, not with the call. The page Events says what.";
            case CONTENT_TOO_LARGE ->
                "The body is larger than this key may send here. docs/api.md says how large it may be.";
            case REQUEST_TIMEOUT -> "The body took too long to arrive. Nothing was done; call again.";
            case SERVICE_UNAVAILABLE -> "The service is busy with too many bodies. Nothing was done; call again.";
            default -> "The call was not taken: " + status.getReasonPhrase() + ".";
        };
    }
}
