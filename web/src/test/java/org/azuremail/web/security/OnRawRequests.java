package org.azuremail.web.security;

import java.io.IOException;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.account.Sessions;
import org.azuremail.web.connector.Caller;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Sends requests to an open port exactly as a test writes them. */
@OpenPort
@ExtendWith(OutputCaptureExtension.class)
abstract class OnRawRequests {

    @LocalServerPort
    int port;

    @Autowired
    Accounts accounts;

    @Autowired
    Sessions sessions;

    String answer(String request) throws IOException {
        try (Caller caller = new Caller(port)) {
            return caller.send(request).answer();
        }
    }

    String formOfAnAdmin() {
        String secret = sessions.begin(
                        accounts.find(new EmailAddress("ann@example.org")).orElseThrow())
                .text();
        return "Content-Type: application/x-www-form-urlencoded\r\nAccept: text/html\r\nCookie: azuremail=" + secret
                + "\r\n";
    }
}
