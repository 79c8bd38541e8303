package org.azuremail.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.azuremail.web.account.Secret;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.azuremail.web.key.KeyQuotas;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Reads the API key of a call from {@code Authorization: Bearer <key>} and from no other place. Only a subscribe key is
 * accepted from outside the admins' networks. It has a quota of calls a second, which every answer reports
 * (draft-ietf-httpapi-ratelimit-headers). The body of a refused call is not read.
 */
final class ApiKeyFilter extends OncePerRequestFilter {

    /** The request attribute with the reason why the key was refused; absent if the request has no key. */
    static final String REFUSAL = ApiKeyFilter.class.getName() + ".refusal";

    private static final String SCHEME = "bearer ";

    private final ApiKeys keys;
    private final KeyQuotas quotas;
    private final AdminNetworks networks;
    private final ApiProblems problems;

    ApiKeyFilter(ApiKeys keys, KeyQuotas quotas, AdminNetworks networks, ApiProblems problems) {
        this.keys = keys;
        this.quotas = quotas;
        this.networks = networks;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<ApiKeys.Use> use = secret(request).map(keys::use);
        if (use.isPresent() && use.get() instanceof ApiKeys.Use.Granted granted) {
            SecurityContextHolder.setContext(context(granted.key()));
            if (!mayGoOn(granted.key(), request, response)) {
                return;
            }
        } else if (use.isPresent() && use.get() instanceof ApiKeys.Use.Refused refused) {
            request.setAttribute(REFUSAL, refused.reason());
        }
        chain.doFilter(request, response);
    }

    /**
     * Returns whether the call is allowed, and otherwise writes the refusal. Subscribe keys are for partners, who may
     * call from any network.
     */
    private boolean mayGoOn(ApiKey key, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (key.scope() != ApiKey.Scope.SUBSCRIBE) {
            boolean inside = networks.contain(request.getRemoteAddr());
            if (!inside) {
                problems.outside(request, response);
            }
            return inside;
        }
        KeyQuotas.Answer answer = quotas.call(key);
        response.setHeader("RateLimit-Policy", "\"" + ApiProblems.POLICY + "\";q=" + answer.limit() + ";w=1");
        response.setHeader("RateLimit", "\"" + ApiProblems.POLICY + "\";r=" + answer.left() + ";t=1");
        if (!answer.granted()) {
            problems.quotaExceeded(request, response, answer.limit());
        }
        return answer.granted();
    }

    private static SecurityContext context(ApiKey key) {
        return new SecurityContextImpl(UsernamePasswordAuthenticationToken.authenticated(
                key, null, AuthorityUtils.createAuthorityList("SCOPE_" + key.scope())));
    }

    /**
     * Returns the key of a call. A call with two keys is treated as having none, because it is unclear for whom the
     * caller acts.
     */
    private static Optional<Secret> secret(HttpServletRequest request) {
        List<String> headers = Collections.list(request.getHeaders(HttpHeaders.AUTHORIZATION));
        String header = headers.size() == 1 ? headers.get(0) : "";
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).strip())
                        .filter(text -> !text.isEmpty())
                        .map(Secret::new)
                : Optional.empty();
    }
}
