package org.azuremail.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.azuremail.web.layout.PageNotFoundException;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses requests for the admins' pages from outside the admins' networks, before any of the body is read. */
final class AdminNetworkFilter extends OncePerRequestFilter {

    private final AdminNetworks networks;
    private final RequestMatcher forEverybody;

    AdminNetworkFilter(AdminNetworks networks, RequestMatcher forEverybody) {
        this.networks = networks;
        this.forEverybody = forEverybody;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String caller = request.getRemoteAddr();
        if (networks.contain(caller) || forEverybody.matches(request)) {
            chain.doFilter(request, response);
        } else {
            request.setAttribute(
                    PageNotFoundException.ErrorText.FILTER_ATTRIBUTE,
                    new PageNotFoundException.ErrorText("outside", caller));
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }
}
