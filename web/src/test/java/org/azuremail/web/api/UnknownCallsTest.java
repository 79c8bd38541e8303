package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.security.OpenPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Checks over a connection that each failure under /api is answered with a problem, even if the container refuses the
 * request.
 */
@OpenPort
class UnknownCallsTest {

    @LocalServerPort
    int port;

    @ParameterizedTest
    @ValueSource(
            strings = {"/api", "/api/", "/api/v2", "/api/v1/messages//pause", "/api/v1/lists/a%2Fb", "/api/v1/lists/a;b"
            })
    void anAddressThatIsNoneIsAProblemThatNamesIt(String address) throws Exception {
        HttpResponse<String> answer = call("POST", address, "Authorization", "Bearer " + PageTestConfiguration.API_KEY);

        assertThat(answer.statusCode()).isIn(HttpServletResponse.SC_BAD_REQUEST, HttpServletResponse.SC_NOT_FOUND);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body()).contains("\"instance\":\"" + address + "\"", "\"detail\":");
    }

    @Test
    void anUnknownMethodIsNotBlamedOnTheAddress() throws Exception {
        HttpResponse<String> answer =
                call("MAKE", "/api/v1/lists", "Authorization", "Bearer " + PageTestConfiguration.API_KEY);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("\"code\":\"bad-request\"", "method");
    }

    @Test
    void anAddressOfThePagesStaysAPage() throws Exception {
        assertThat(call("GET", "/a%2Fb", "Accept", "text/html").body()).contains("<html");
    }

    @Test
    void aCallWithoutAKeyIsAProblemThatNamesIt() throws Exception {
        assertThat(call("GET", "/api/v1/lists", "X-Nothing", "x").body()).contains("\"instance\":\"/api/v1/lists\"");
    }

    @Test
    void aKnownAddressSaysWhichMethodsItTakes() throws Exception {
        HttpResponse<String> answer =
                call("PUT", "/api/v1/messages/1", "Authorization", "Bearer " + PageTestConfiguration.API_KEY);

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(String.join(",", answer.headers().allValues("Allow")).split(",\\s*"))
                .containsExactlyInAnyOrder("GET", "HEAD", "PATCH", "DELETE");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"garbage", "text/html", "application/xml", "*", "application/json;q=2"})
    void aRefusalIsAProblemWhateverTheCallerAccepts(String accept) throws Exception {
        HttpResponse<String> answer = call(
                "GET",
                "/api/v1/lists/nothing",
                "Authorization",
                "Bearer " + PageTestConfiguration.API_KEY,
                "Accept",
                accept);

        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body()).contains("\"instance\":\"/api/v1/lists/nothing\"", "\"code\":");
    }

    @Test
    void ofTwoKeysNeitherCounts() throws Exception {
        String good = "Bearer " + PageTestConfiguration.API_KEY;

        assertThat(call("GET", "/api/v1/lists", "Authorization", good).statusCode())
                .isEqualTo(200);
        assertThat(call("GET", "/api/v1/lists", "Authorization", good, "Authorization", "Bearer another")
                        .statusCode())
                .isEqualTo(401);
    }

    private HttpResponse<String> call(String method, String address, String... headers)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + address))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .headers(headers)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
