package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.csrf.CsrfTokenRepository;

/**
 * Signs browsers in and out. The secret and the forms' token are new each time: values that a stranger planted in the browser
 * before are worth nothing afterwards.
 */
record BrowserSession(
        Accounts accounts,
        Sessions sessions,
        SecretCookie sessionCookie,
        Devices devices,
        SecretCookie deviceCookie,
        CsrfTokenRepository formTokens) {

    void begin(Account account, HttpServletRequest request, HttpServletResponse response) {
        end(request, response);
        accounts.signedIn(account.email());
        sessionCookie.write(response, sessions.begin(account));
        deviceCookie.write(response, devices.remember(account, deviceCookie.read(request)));
        formTokens.saveToken(formTokens.generateToken(request), request, response);
    }

    /** The device stays known: its owner does not become a stranger by signing out. */
    void end(HttpServletRequest request, HttpServletResponse response) {
        sessionCookie.read(request).ifPresent(sessions::end);
        sessionCookie.remove(response);
        formTokens.saveToken(null, request, response);
    }
}
