package org.azuremail.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.web.util.UriComponentsBuilder;

/** Sends whoever is not signed in to the sign-in page, and from there back to the page they wanted. */
final class SignInFirst implements AuthenticationEntryPoint {

    /** In characters: the answer's head has 8 KB, and each of them may take three in it. */
    private static final int LONGEST_NEXT = 2_000;

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException {
        String target = request.getHeader("HX-Request") == null ? signIn(request) : "/sign-in";
        if (request.getHeader("HX-Request") != null) {
            response.setHeader("HX-Redirect", target);
            response.setStatus(HttpStatus.UNAUTHORIZED.value());
            return;
        }
        response.setStatus(HttpStatus.SEE_OTHER.value());
        response.setHeader("Location", target);
    }

    private static String signIn(HttpServletRequest request) {
        String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
        String next = request.getRequestURI() + query;
        boolean page = "GET".equals(request.getMethod())
                && !"/".equals(request.getRequestURI())
                && next.length() <= LONGEST_NEXT;
        return page
                ? UriComponentsBuilder.fromPath("/sign-in")
                        .queryParam("next", "{next}")
                        .encode()
                        .buildAndExpand(next)
                        .toUriString()
                : "/sign-in";
    }
}
