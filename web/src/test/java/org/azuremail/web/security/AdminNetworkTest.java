package org.azuremail.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.account.Sessions;
import org.azuremail.web.connector.Caller;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/**
 * Limitation 2 of the tutorial: checks that admins come from the networks in the settings, with the address that a
 * proxy reports.
 */
@OpenPort
@TestPropertySource(
        properties = {"azuremail.admin.allow-from=192.0.2.0/24, 2001:db8::/32", "server.forward-headers-strategy=native"
        })
class AdminNetworkTest {

    private static final String INSIDE = "192.0.2.7";
    private static final String OUTSIDE = "203.0.113.5";
    private static final String SUBSCRIBE = "/api/v1/lists/contoso1/subscriptions";

    @LocalServerPort
    int port;

    @Autowired
    ApiKeys keys;

    @Autowired
    Accounts accounts;

    @Autowired
    Sessions sessions;

    private String call(String request, String from, String headers) throws IOException {
        try (Caller caller = new Caller(port)) {
            String length = request.startsWith("POST") ? "Content-Length: 0\r\n" : "";
            return caller.send(request
                            + " HTTP/1.1\r\nHost: x\r\nAccept: text/html, application/json;q=0.5\r\nX-Forwarded-For: "
                            + from + "\r\n" + length + headers + "\r\n")
                    .answer();
        }
    }

    private String signedIn() {
        EmailAddress ann = new EmailAddress("ann@example.org");
        return "Cookie: azuremail="
                + sessions.begin(accounts.find(ann).orElseThrow()).text() + "\r\n";
    }

    private String key(ApiKey.Scope scope) {
        return "Content-Type: application/json\r\nAuthorization: Bearer "
                + keys.create(
                                keys.nextSecret(),
                                ApiKey.Terms.of("some program", scope, Set.of(new ListName("contoso1"))),
                                "ann")
                        .secret()
                        .text()
                + "\r\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /",
                "GET /lists",
                "GET /images",
                "GET /live",
                "GET /nowhere",
                "GET /error",
                "GET /sign-in",
                "GET /sign-in?next=/unsubscribe",
                "GET /setup?token=x",
                "GET /welcome?token=x",
                "GET /actuator",
                "GET /subscribe/x",
                "GET /SUBSCRIBE",
                "OPTIONS /lists",
                "POST /sign-in",
                "POST /sign-out",
                "POST /setup",
                "POST /lists/new",
                "POST /messages/new/edit?_keep=on"
            })
    void limitation2_a73_pagesOfAdminsAreRefusedFromOtherNetworksWithoutARedirect(String request) throws IOException {
        for (String session : new String[] {"", signedIn()}) {
            String answer = call(request, OUTSIDE, session);

            assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("Location:", "HX-Redirect", "<nav");
            assertThat(answer).contains("your address (203.0.113.5) is not in one of them");
        }
    }

    @Test
    void limitation2_a73_adminsInTheirNetworksSignInAndWork() throws IOException {
        assertThat(call("GET /sign-in", INSIDE, "")).startsWith("HTTP/1.1 200");
        assertThat(call("GET /lists", "2001:db8::7", ""))
                .startsWith("HTTP/1.1 303")
                .contains("Location: /sign-in");
        assertThat(call("GET /lists", INSIDE, signedIn())).startsWith("HTTP/1.1 200");
        assertThat(call("GET /lists", "::ffff:" + INSIDE, signedIn())).startsWith("HTTP/1.1 200");
        assertThat(call("GET /api/v1/lists", INSIDE, key(ApiKey.Scope.ADMIN))).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /subscribe?list=contoso1&id=x",
                "GET /unsubscribe?list=contoso1&id=x",
                "POST /unsubscribe?list=contoso1&id=x",
                "GET /preferences?list=contoso1&id=x",
                "POST /webhooks/sendgrid",
                "GET /logo/x.png",
                "GET /image/x.png",
                "GET /look/aabbcc.css",
                "GET /robots.txt",
                "GET /actuator/health",
                "GET /actuator/health/liveness",
                "GET /actuator/health/readiness"
            })
    void limitation2_a73_publicRequestsWorkFromEverywhere(String request) throws IOException {
        String head = call(request, OUTSIDE, "").lines().findFirst().orElseThrow();

        assertThat(head).isEqualTo(call(request, INSIDE, "").lines().findFirst().orElseThrow());
    }

    @Test
    void limitation2_a73_ofTheKeysOnlyThoseThatSubscribePeopleWorkFromEverywhere() throws IOException {
        String admin =
                "Content-Type: application/json\r\nAuthorization: Bearer " + PageTestConfiguration.API_KEY + "\r\n";
        for (String call : new String[] {"GET /api/v1/lists", "POST " + SUBSCRIBE, "GET /actuator/prometheus"}) {
            assertThat(call(call, OUTSIDE, admin))
                    .startsWith("HTTP/1.1 403")
                    .contains("application/problem+json", "network-not-allowed", OUTSIDE);
        }
        assertThat(call("GET /actuator/prometheus", OUTSIDE, key(ApiKey.Scope.METRICS)))
                .startsWith("HTTP/1.1 403")
                .contains("network-not-allowed");
        assertThat(call("POST " + SUBSCRIBE, OUTSIDE, key(ApiKey.Scope.SUBSCRIBE)))
                .startsWith("HTTP/1.1 400");
        assertThat(call("GET /api/v1/lists", OUTSIDE, key(ApiKey.Scope.SUBSCRIBE)))
                .startsWith("HTTP/1.1 403")
                .contains("\"code\":\"forbidden\"");
        assertThat(call("GET /api/v1/lists", OUTSIDE, "")).startsWith("HTTP/1.1 401");
        assertThat(call("GET /api/v1/lists", OUTSIDE, "Authorization: Bearer guessed\r\n"))
                .startsWith("HTTP/1.1 401");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.7, 203.0.113.5",
                "203.0.113.5:50123",
                "192.0.2.7:502123",
                "unknown",
                "<script>",
                "192.0.2.7.example.org",
                "10.0.0.1",
                "::1",
                ""
            })
    void aForgedOrOddAddressIsInNoNetwork(String forwardedFor) throws IOException {
        assertThat(call("GET /sign-in", forwardedFor, "X-Real-IP: 192.0.2.7\r\nForwarded: for=192.0.2.7\r\n"))
                .startsWith("HTTP/1.1 403")
                .doesNotContain("<script>");
    }
}
