package org.azuremail.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.azuremail.web.account.Account;
import org.azuremail.web.account.SessionCookie;
import org.azuremail.web.account.Sessions;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.DeferredSecurityContext;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;

/** Reads who is signed in from our own sessions. Nothing is ever saved here: signing in and out write the cookie. */
record SignedInContext(Sessions sessions, SessionCookie cookie) implements SecurityContextRepository {

    static final String ROLE = "ADMIN";

    @Override
    public DeferredSecurityContext loadDeferredContext(HttpServletRequest request) {
        return new Deferred(() -> load(request));
    }

    @Override
    @Deprecated
    public SecurityContext loadContext(HttpRequestResponseHolder holder) {
        return load(holder.getRequest());
    }

    @Override
    public void saveContext(SecurityContext context, HttpServletRequest request, HttpServletResponse response) {}

    @Override
    public boolean containsContext(HttpServletRequest request) {
        return cookie.read(request).isPresent();
    }

    private SecurityContext load(HttpServletRequest request) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        cookie.read(request)
                .flatMap(sessions::use)
                .map(SignedInContext::authentication)
                .ifPresent(context::setAuthentication);
        return context;
    }

    private static UsernamePasswordAuthenticationToken authentication(Account account) {
        return UsernamePasswordAuthenticationToken.authenticated(
                account.email().value(), null, AuthorityUtils.createAuthorityList("ROLE_" + ROLE));
    }

    /** Looks the session up only when somebody asks, and once. */
    private static final class Deferred implements DeferredSecurityContext {

        private final Supplier<SecurityContext> load;
        private @Nullable SecurityContext context;

        Deferred(Supplier<SecurityContext> load) {
            this.load = load;
        }

        @Override
        public SecurityContext get() {
            if (context == null) {
                context = load.get();
            }
            return context;
        }

        @Override
        public boolean isGenerated() {
            return get().getAuthentication() == null;
        }
    }
}
