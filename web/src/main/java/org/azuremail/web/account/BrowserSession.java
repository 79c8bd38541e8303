package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.csrf.CsrfTokenRepository;

/**
 * Signs browsers in and out. The secret and the forms' token are always new ones: whatever a stranger planted in the
 * browser before is worth nothing afterwards.
 */
final class BrowserSession {

    private final Accounts accounts;
    private final Sessions sessions;
    private final SessionCookie cookie;
    private final CsrfTokenRepository formTokens;

    BrowserSession(Accounts accounts, Sessions sessions, SessionCookie cookie, CsrfTokenRepository formTokens) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.cookie = cookie;
        this.formTokens = formTokens;
    }

    void begin(Account account, HttpServletRequest request, HttpServletResponse response) {
        end(request, response);
        accounts.signedIn(account.email());
        cookie.write(response, sessions.begin(account));
        formTokens.saveToken(formTokens.generateToken(request), request, response);
    }

    void end(HttpServletRequest request, HttpServletResponse response) {
        cookie.read(request).ifPresent(sessions::end);
        cookie.remove(response);
        formTokens.saveToken(null, request, response);
    }
}
