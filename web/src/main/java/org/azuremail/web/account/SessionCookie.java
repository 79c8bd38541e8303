package org.azuremail.web.account;

import org.azuremail.app.AzureMailProperties;

/** The cookie that carries a session's secret. */
public final class SessionCookie extends SecretCookie {

    public SessionCookie(AzureMailProperties settings) {
        super(settings, "azuremail", SESSION);
    }
}
