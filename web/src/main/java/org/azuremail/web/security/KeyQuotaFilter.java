package org.azuremail.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.KeyQuotas;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keys that subscribe people make so many calls a second, and every answer says how many are left
 * (draft-ietf-httpapi-ratelimit-headers). A call beyond the quota is refused before its body is read.
 */
final class KeyQuotaFilter extends OncePerRequestFilter {

    static final String POLICY = "requests";

    private final KeyQuotas quotas;
    private final ApiProblems problems;

    KeyQuotaFilter(KeyQuotas quotas, ApiProblems problems) {
        this.quotas = quotas;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (caller == null || !(caller.getPrincipal() instanceof ApiKey key) || key.scope() != ApiKey.Scope.SUBSCRIBE) {
            chain.doFilter(request, response);
            return;
        }
        KeyQuotas.Answer answer = quotas.call(key);
        response.setHeader("RateLimit-Policy", "\"" + POLICY + "\";q=" + answer.limit() + ";w=1");
        response.setHeader("RateLimit", "\"" + POLICY + "\";r=" + answer.left() + ";t=1");
        if (answer.granted()) {
            chain.doFilter(request, response);
        } else {
            problems.quotaExceeded(request, response, answer.limit());
        }
    }
}
