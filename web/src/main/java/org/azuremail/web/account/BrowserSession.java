package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.csrf.CsrfTokenRepository;

/**
 * Signs browsers in and out. The secret and the forms' token are always new ones: whatever a stranger planted in the
 * browser before is worth nothing afterwards.
 */
record BrowserSession(
        Accounts accounts,
        Sessions sessions,
        SessionCookie cookie,
        Devices devices,
        DeviceCookie deviceCookie,
        CsrfTokenRepository formTokens) {

    void begin(Account account, HttpServletRequest request, HttpServletResponse response) {
        end(request, response);
        accounts.signedIn(account.email());
        cookie.write(response, sessions.begin(account));
        deviceCookie.write(response, devices.remember(account, deviceCookie.read(request)));
        formTokens.saveToken(formTokens.generateToken(request), request, response);
    }

    /** The device stays known, or signing out would make its owner a stranger. */
    void end(HttpServletRequest request, HttpServletResponse response) {
        cookie.read(request).ifPresent(sessions::end);
        cookie.remove(response);
        formTokens.saveToken(null, request, response);
    }
}
