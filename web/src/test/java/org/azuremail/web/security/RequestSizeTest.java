package org.azuremail.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.connector.Caller;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.azuremail.web.suppression.SuppressionChanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;

/** Checks how much strangers, keys and admins may send. */
class RequestSizeTest extends OnRawRequests {

    private static final String SUBSCRIBE = "/api/v1/lists/contoso1/subscriptions";

    @Autowired
    ApiKeys keys;

    @Autowired
    ManualTime time;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/sign-in",
                "/unsubscribe",
                "/subscribe",
                "/lists/new",
                "/subscribers/import",
                "/nowhere",
                "/actuator/health"
            })
    void chunksOfAStrangerBeyond64KbAreRefusedWithAPage(String address) throws IOException {
        String answer =
                chunked(address, "Content-Type: application/x-www-form-urlencoded\r\nAccept: text/html\r\n", 70, 1000);

        assertThat(answer).startsWith("HTTP/1.1 413").contains("<h1>", "Content-Security-Policy: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {SUBSCRIBE, "/api/v1/messages", "/api/v1/lists/contoso1/imports", "/api/nowhere"})
    void chunksOfAStrangerBeyond64KbAreRefusedWithAProblem(String address) throws IOException {
        String answer = chunked(address, "Content-Type: application/json\r\n", 7, 10_000);

        assertThat(answer).startsWith("HTTP/1.1 413").contains("application/problem+json", "\"status\":413");
    }

    @Test
    void declaredLengthOfAStrangerIsRefusedBeforeTheBodyArrives() throws IOException {
        assertThat(answer("POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
        assertThat(answer("POST " + SUBSCRIBE + " HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void longTextOfSomebodyWhoseSessionEndedComesBackAndThatOfAStrangerIsRefused() throws IOException {
        EmailAddress ann = new EmailAddress("ann@example.org");
        String secret = sessions.begin(accounts.find(ann).orElseThrow()).text();
        time.advance(Duration.ofDays(1));
        String form = "Content-Type: application/x-www-form-urlencoded\r\nAccept: text/html\r\n";

        assertThat(chunked(
                        "/messages/new/edit?_keep=on&markdown=",
                        form + "Cookie: azuremail=" + secret + "\r\n",
                        10,
                        9_000))
                .startsWith("HTTP/1.1 403")
                .contains("You are signed out")
                .hasSizeGreaterThan(90_000);
        assertThat(chunked("/messages/new/edit", form + "Cookie: azuremail=guessed\r\n", 10, 9_000))
                .startsWith("HTTP/1.1 413");
        assertThat(chunked("/templates/new?_keep=on&mjml=", form + "Cookie: azuremail=" + secret + "\r\n", 10, 9_000))
                .startsWith("HTTP/1.1 403")
                .contains("You are signed out");
        assertThat(chunked("/images/new?_keep=on&alt=", form + "Cookie: azuremail=" + secret + "\r\n", 40, 9_000))
                .startsWith("HTTP/1.1 403")
                .contains("You are signed out");
        for (String address : List.of("/lists/new", "/subscribers/import")) {
            assertThat(answer("POST " + address + " HTTP/1.1\r\nHost: x\r\n" + form + "Cookie: azuremail=" + secret
                            + "\r\nContent-Length: 300000\r\n\r\n"))
                    .startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void subscribeKeyMaySendNoMoreThanAStranger() throws IOException {
        String key = keys.create(
                        keys.nextSecret(),
                        ApiKey.Terms.of("shop", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("contoso1"))),
                        "ann")
                .secret()
                .text();

        assertThat(chunked(SUBSCRIBE, bearer(key), 7, 10_000)).startsWith("HTTP/1.1 413");
        assertThat(chunked("/api/v1/messages", bearer(key), 7, 10_000)).startsWith("HTTP/1.1 413");
        assertThat(chunked(SUBSCRIBE, bearer(key), 5, 10_000)).startsWith("HTTP/1.1 400");
    }

    @Test
    void adminKeyMaySendAsMuchAsTheCallTakesAndMoreIsNoEventOfTheService(CapturedOutput log) throws IOException {
        String admin = bearer(PageTestConfiguration.API_KEY);

        assertThat(chunked(SUBSCRIBE, admin, 7, 10_000)).startsWith("HTTP/1.1 400");
        assertThat(chunked(SUBSCRIBE, admin, 27, 10_000))
                .startsWith("HTTP/1.1 413")
                .contains("\"status\":413");
        assertThat(log).doesNotContain("already committed");
        assertThat(chunked("/api/v1/messages", admin, 27, 10_000)).startsWith("HTTP/1.1 400");
        assertThat(answer("POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 13000000\r\n" + admin + "\r\n"))
                .startsWith("HTTP/1.1 413");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/suppressions/release", "/lists/new", "/fields/new"})
    void chunksOfAnAdminsFormBeyondTheLimitAreRefusedWithAPage(String address) throws IOException {
        assertThat(chunked(address, formOfAnAdmin(), 27, 10_000))
                .startsWith("HTTP/1.1 413")
                .contains("<h1>", "Content-Security-Policy: ");
    }

    @Test
    void asManyAddressesAsMayBeSuppressedAtOnceArriveAtTheirLongest() throws IOException {
        String admin = bearer(PageTestConfiguration.API_KEY);

        assertThat(chunked("/api/v1/suppressions", admin, SuppressionChanges.MAX_AT_ONCE / 100, 26_000))
                .startsWith("HTTP/1.1 400");
        assertThat(chunked("/suppressions/new", formOfAnAdmin(), SuppressionChanges.MAX_AT_ONCE / 100, 26_000))
                .startsWith("HTTP/1.1 403");
    }

    private String chunked(String address, String headers, int chunks, int size) throws IOException {
        try (Caller caller = new Caller(port)) {
            caller.send(
                    "POST " + address + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n" + headers + "\r\n");
            for (int i = 0; i < chunks; i++) {
                caller.chunk(size);
            }
            return caller.send("0\r\n\r\n").answer();
        }
    }

    private static String bearer(String key) {
        return "Content-Type: application/json\r\nAuthorization: Bearer " + key + "\r\n";
    }
}
