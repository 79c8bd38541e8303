package org.azuremail.web.security;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;
import org.azuremail.web.layout.PageNotFoundException;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Sends people who are not signed in to the sign-in page, and from there back to the page that they requested. A form
 * with the field {@code _keep} loses no input: its text is shown on a page from which it can be sent again, even if its
 * token is old.
 */
final class SignInEntryPoint implements AuthenticationEntryPoint, AccessDeniedHandler {

    private final Predicate<String> isPage;

    private final AccessDeniedHandler otherwise = new AccessDeniedHandlerImpl();

    /**
     * The longest address to return to, in characters. The head of the answer has 8 KB, and a character may take three
     * bytes of it.
     */
    private static final int MAX_NEXT_LENGTH = 2_000;

    /** @param isPage whether a page exists at the address to which a form was sent */
    SignInEntryPoint(Predicate<String> isPage) {
        this.isPage = isPage;
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException, ServletException {
        if (asksToKeepInput(request)) {
            showKeptInput(HttpStatus.UNAUTHORIZED, request, response);
            return;
        }
        boolean fragment = request.getHeader("HX-Request") != null;
        response.setStatus((fragment ? HttpStatus.UNAUTHORIZED : HttpStatus.SEE_OTHER).value());
        response.setHeader(fragment ? "HX-Redirect" : "Location", fragment ? "/sign-in" : signIn(request));
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException refused)
            throws IOException, ServletException {
        if (asksToKeepInput(request)) {
            showKeptInput(HttpStatus.FORBIDDEN, request, response);
        } else {
            if (SecurityContextHolder.getContext().getAuthentication() == null) {
                request.setAttribute(PageNotFoundException.ErrorText.SIGN_IN_ATTRIBUTE, signIn(request));
            }
            otherwise.handle(request, response, refused);
        }
    }

    /** Returns whether a form asks to keep its input. Text that another site sends is not shown as the person's own. */
    private static boolean asksToKeepInput(HttpServletRequest request) {
        String from = request.getHeader("Sec-Fetch-Site");
        return "POST".equals(request.getMethod())
                && request.getParameter("_keep") != null
                && (from == null || from.equals("same-origin"));
    }

    private static void showKeptInput(HttpStatus status, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        response.setStatus(status.value());
        request.getRequestDispatcher("/kept").forward(request, response);
    }

    private String signIn(HttpServletRequest request) {
        String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
        String next = request.getRequestURI() + query;
        boolean page = ("GET".equals(request.getMethod()) || isPage.test(request.getRequestURI()))
                && !"/".equals(request.getRequestURI())
                && next.length() <= MAX_NEXT_LENGTH;
        return page
                ? UriComponentsBuilder.fromPath("/sign-in")
                        .queryParam("next", "{next}")
                        .encode()
                        .buildAndExpand(next)
                        .toUriString()
                : "/sign-in";
    }
}
