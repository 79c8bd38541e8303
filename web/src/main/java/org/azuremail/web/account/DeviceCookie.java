package org.azuremail.web.account;

import org.azuremail.app.AzureMailProperties;

/** The cookie by which a browser is known in which somebody signed in before; it opens nothing. */
final class DeviceCookie extends SecretCookie {

    DeviceCookie(AzureMailProperties settings) {
        super(settings, "azuremail-device", Devices.KNOWN_FOR);
    }
}
