package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.csrf.CsrfTokenRepository;

/**
 * Signs browsers in and out. The secret and the forms' token are new each time, so values that an attacker planted in
 * the browser before are worthless afterwards.
 */
record BrowserSession(
        Accounts accounts,
        Sessions sessions,
        SecretCookie sessionCookie,
        KnownDevices devices,
        SecretCookie deviceCookie,
        CsrfTokenRepository formTokens) {

    void begin(Account account, HttpServletRequest request, HttpServletResponse response) {
        end(request, response);
        accounts.signedIn(account.email());
        sessionCookie.write(response, sessions.begin(account));
        deviceCookie.write(response, devices.remember(account, deviceCookie.read(request)));
        formTokens.saveToken(formTokens.generateToken(request), request, response);
    }

    /** Ends the session. The device stays known, because signing out does not make its owner a stranger. */
    void end(HttpServletRequest request, HttpServletResponse response) {
        sessionCookie.read(request).ifPresent(sessions::end);
        sessionCookie.remove(response);
        formTokens.saveToken(null, request, response);
    }
}
