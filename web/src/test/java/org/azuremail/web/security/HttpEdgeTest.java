package org.azuremail.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;

/** Tests requests that no browser sends. */
class HttpEdgeTest extends OnRawRequests {

    @Autowired
    SimulatedStorage storage;

    @ParameterizedTest
    @ValueSource(strings = {"%FF", "%ED%A0%80", "%", "%u0041", "&a*2001"})
    void parametersThatAreNoTextAreRefusedAndNoEventOfTheService(String odd, CapturedOutput log) throws IOException {
        String parameters = "a=" + (odd.contains("*") ? "b" + "&a".repeat(2001) : odd);

        assertThat(answer("GET /sign-in?" + parameters + " HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("<h1>");
        assertThat(answer("POST /unsubscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: " + parameters.length() + "\r\n\r\n" + parameters))
                .startsWith("HTTP/1.1 400");
        assertThat(log).doesNotContain("InvalidParameterException");
    }

    @Test
    void whatIsNoRequestLeavesNoStackTrace(CapturedOutput log) throws IOException {
        assertThat(answer("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 400");

        assertThat(log).doesNotContain("Error parsing HTTP request header");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/css/none.css", "/sign-in", "/lists", "/api/v1/lists", "/logo/none.png"})
    void anAcceptThatNamesNoTypeIsNoEventOfTheService(String address, CapturedOutput log) throws IOException {
        answer("GET " + address + " HTTP/1.1\r\nHost: x\r\nAccept: ;;;\r\n\r\n");

        assertThat(log).doesNotContain("invalid Accept header");
    }

    @Test
    void aVisitorIsToldWhenToComeAgainWhileSessionsAreOutOfReach() throws IOException {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals("session")) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "no answer", null);
                }
            }
        });
        try {
            assertThat(answer("GET /lists HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nCookie: azuremail=any\r\n\r\n"))
                    .startsWith("HTTP/1.1 503")
                    .contains("Retry-After: 10\r\n", "<h1>");
        } finally {
            storage.hook(CallHook.NONE);
        }
    }

    @Test
    void addressThatIsTooLongToComeBackToLeadsToTheSignInPage() throws IOException {
        for (int length = 1_000; length < 8_100; length += 500) {
            assertThat(answer("GET /" + "%41".repeat(length / 3) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 303")
                    .contains("Location: /sign-in" + (length <= 2_000 ? "?next=" : "\r\n"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /lists//new HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /lists/%2e%2e/x HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /lists;a=b HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /lists/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /lists/%2F HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /lists/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /sign-in?a=%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /lists/%ed%a0%80 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET http://x:99999/ HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /../../x HTTP/1.1\r\nHost: x\r\n\r\n",
                "TRACE /sign-in HTTP/1.1\r\nHost: x\r\n\r\n",
                "PROPFIND /sign-in HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /sign-in HTTP/1.1\r\nHost: x\r\nX-A: \u0001\r\n\r\n",
                "GET /sign-in HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET /sign-in HTTP/1.1\r\n\r\n",
                "GET /sign-in HTTP/9.9\r\nHost: x\r\n\r\n",
                "GET /sign in HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /<> HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST /sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nwrong\r\n",
                "POST /sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
                "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
                "GET /api/v1/lists/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /api/v1//lists HTTP/1.1\r\nHost: x\r\n\r\n",
                "wrong\r\n\r\n"
            })
    void everyRefusalCarriesTheSecurityHeaders(String request) throws IOException {
        String answer = answer(request);

        assertThat(answer)
                .containsPattern("^HTTP/1\\.1 [34]\\d\\d|^HTTP/1\\.1 50[15] ")
                .contains("X-Content-Type-Options: nosniff", "Content-Security-Policy: default-src 'none'")
                .contains("Referrer-Policy: no-referrer")
                .doesNotContain("Apache Tomcat");
    }

    @ParameterizedTest
    @CsvSource({"GET /api/v1/lists/%00 HTTP/1.1, bad-request", "GET /api/v1/lists HTTP/9.9, http-version-not-supported"
    })
    void aRefusalOfTheApiHasACodeThoughTheRequestReachedNoCall(String request, String code) throws IOException {
        assertThat(answer(request + "\r\nHost: x\r\n\r\n"))
                .contains("\"code\":\"" + code + "\"", "\"type\":\"urn:azuremail:problem:" + code + "\"");
    }

    /** nginx speaks HTTP/1.0 to the service unless told otherwise. */
    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.1"})
    void redirectAfterASuccessfulPostDoesNotTrustTheHostHeader(String version) throws IOException {
        String list = "host_header_" + version.charAt(2);
        String cookies = "azuremail-form=any; azuremail="
                + sessions.begin(accounts.find(new EmailAddress("ann@example.org"))
                                .orElseThrow())
                        .text();
        String token = Base64.getUrlEncoder().encodeToString("\0\0\0any".getBytes(StandardCharsets.UTF_8));
        String form =
                "_csrf=" + token + "&name=" + list + "&description=x&fromEmail=a@host.test&language=en&optIn=double";

        String answer = answer("POST /lists/new HTTP/" + version
                + "\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n"
                + "Forwarded: host=evil.example\r\nContent-Type: application/x-www-form-urlencoded\r\nCookie: "
                + cookies
                + "\r\nContent-Length: " + form.length() + "\r\n\r\n" + form);

        assertThat(answer)
                .startsWith("HTTP/1.1 302")
                .contains("\r\nLocation: /lists/" + list + "\r\n")
                .doesNotContain("evil.example");
    }

    @ParameterizedTest
    @CsvSource({"\u00e9, 400", "\u00c0\u00af, 400", "\u00c3\u00a9, 302", "\u00ef\u00bf\u00bd, 302"})
    void aFieldOfAFormWithFilesIsUtf8(String bytes, int status) throws IOException {
        String token = Base64.getUrlEncoder().encodeToString("\0\0\0any".getBytes(StandardCharsets.UTF_8));
        StringBuilder form = new StringBuilder();
        Map.of(
                        "_csrf",
                        token,
                        "name",
                        "multipart_" + HexFormat.of().formatHex(bytes.getBytes(StandardCharsets.ISO_8859_1)),
                        "description",
                        bytes,
                        "fromEmail",
                        "a@multi.test",
                        "language",
                        "en",
                        "optIn",
                        "double")
                .forEach((name, value) -> form.append(
                        "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"));
        form.append("--b--\r\n");

        String answer = answer("POST /lists/new HTTP/1.1\r\nHost: x\r\n"
                + formOfAnAdmin().replace("application/x-www-form-urlencoded", "multipart/form-data; boundary=b")
                + "Cookie: azuremail-form=any\r\nContent-Length: " + form.length() + "\r\n\r\n" + form);

        assertThat(answer).startsWith("HTTP/1.1 " + status);
    }

    /** A header contains no such letter: Tomcat would drop it, and the browser would show an empty page. */
    @Test
    void redirectWritesLettersOutsideAsciiAsBrowsersDo(CapturedOutput log) throws IOException {
        String next = "%2Fa%25b%C3%A9%F0%9F%92%A5%3Fq%3D%E2%80%A8";

        assertThat(answer("GET /sign-in?next=" + next + " HTTP/1.1\r\nHost: x\r\n" + formOfAnAdmin() + "\r\n"))
                .startsWith("HTTP/1.1 302")
                .contains("\r\nLocation: /a%b%C3%A9%F0%9F%92%A5?q=%E2%80%A8\r\n");
        assertThat(log).doesNotContain("UnmappableCharacterException");
    }

    @ParameterizedTest
    @CsvSource({"GET,/", "GET,/lists", "POST,/sign-out"})
    void redirectDoesNotTrustTheHostHeader(String method, String address) throws IOException {
        String answer = answer(
                method + " " + address + " HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n\r\n");

        assertThat(answer).doesNotContain("evil.example");
    }
}
