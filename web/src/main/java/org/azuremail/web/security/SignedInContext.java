package org.azuremail.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.azuremail.web.account.Account;
import org.azuremail.web.account.SecretCookie;
import org.azuremail.web.account.Sessions;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;

/** Finds the signed-in admin in the service's sessions. Saves nothing, because signing in and out write the cookie. */
record SignedInContext(Sessions sessions, SecretCookie cookie) implements SecurityContextRepository {

    static final String ROLE = "ADMIN";

    @Override
    @Deprecated
    public SecurityContext loadContext(HttpRequestResponseHolder holder) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        cookie.read(holder.getRequest())
                .flatMap(sessions::use)
                .map(SignedInContext::authentication)
                .ifPresent(context::setAuthentication);
        return context;
    }

    @Override
    public void saveContext(SecurityContext context, HttpServletRequest request, HttpServletResponse response) {}

    @Override
    public boolean containsContext(HttpServletRequest request) {
        return cookie.read(request).isPresent();
    }

    private static UsernamePasswordAuthenticationToken authentication(Account account) {
        return UsernamePasswordAuthenticationToken.authenticated(
                account.email().value(), null, AuthorityUtils.createAuthorityList("ROLE_" + ROLE));
    }
}
