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
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Takes the key from {@code Authorization: Bearer <key>}, and from nowhere else. */
final class BearerKeyFilter extends OncePerRequestFilter {

    /** The request's attribute in which stands why its key opens nothing; none for a request without a key. */
    static final String REFUSAL = BearerKeyFilter.class.getName() + ".refusal";

    private static final String SCHEME = "bearer ";

    private final ApiKeys keys;

    BearerKeyFilter(ApiKeys keys) {
        this.keys = keys;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<ApiKeys.Use> use = secret(request).map(keys::use);
        if (use.isPresent() && use.get() instanceof ApiKeys.Use.Granted granted) {
            SecurityContextHolder.setContext(context(granted.key()));
        } else if (use.isPresent() && use.get() instanceof ApiKeys.Use.Refused refused) {
            request.setAttribute(REFUSAL, refused.reason());
        }
        chain.doFilter(request, response);
    }

    private static SecurityContext context(ApiKey key) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                key, null, AuthorityUtils.createAuthorityList("SCOPE_" + key.scope())));
        return context;
    }

    /** Of two keys neither counts: nobody can say for whom the caller acts. */
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
