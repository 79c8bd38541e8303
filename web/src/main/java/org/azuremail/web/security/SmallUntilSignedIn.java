package org.azuremail.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Uploads are for people who are signed in. A form's token can only be looked for after the whole form was taken in, so
 * this stands before that: a stranger's upload is not even read.
 */
final class SmallUntilSignedIn extends OncePerRequestFilter {

    private static final int LARGEST_FORM = 64 * 1024;

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (large(request) && !signedIn()) {
            response.setHeader("Connection", "close");
            response.sendError(HttpStatus.FORBIDDEN.value());
        } else {
            chain.doFilter(request, response);
        }
    }

    private static boolean large(HttpServletRequest request) {
        String type = request.getContentType();
        return (type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/"))
                || request.getContentLengthLong() > LARGEST_FORM;
    }

    private static boolean signedIn() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.isAuthenticated();
    }
}
