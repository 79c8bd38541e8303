package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class MessageApiTest {

    private static final String HTML = "<html><body><p>Hello {{name|you}}</p></body></html>";

    @Autowired
    MockMvc mvc;

    private ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"api_news\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void aMessageIsMadeAndShown() throws Exception {
        api.post("/api/v1/messages", """
                {"list": "api_news", "subject": "Größe {{name}}", "html": "%s",
                 "scheduledAt": "2999-12-24T18:00", "zone": "Europe/Berlin", "onUnknown": "resend"}
                """.formatted(HTML));

        assertThat(api.status()).isEqualTo(201);
        String ref = api.json("$.messageRef");
        assertThat(api.header("Location")).isEqualTo("/api/v1/messages/" + ref);
        api.get("/api/v1/messages/" + ref);
        assertThat(api.<String>json("$.state")).isEqualTo("pending");
        assertThat(api.<String>json("$.scheduledAt")).isEqualTo("2999-12-24T17:00:00Z");
        assertThat(api.<String>json("$.onUnknown")).isEqualTo("resend");
        assertThat(api.<String>json("$.subject")).isEqualTo("Größe {{name}}");
        assertThat(api.<Integer>json("$.recipients")).isZero();
        assertThat(api.get("/api/v1/messages?limit=1000").<List<String>>json("$.items[*].messageRef"))
                .contains(ref);
        assertThat(api.get("/api/v1/messages/" + ref + "/outcomes").<List<?>>json("$.items"))
                .isEmpty();
        assertThat(api.get("/api/v1/messages/" + ref + "/outcomes?email=ann@example.org")
                        .<List<?>>json("$.items"))
                .isEmpty();
    }

    @Test
    void aZoneAloneChangesTheZoneAndNotTheInstant() throws Exception {
        api.post("/api/v1/messages", """
                {"list": "api_news", "subject": "x", "html": "%s", "scheduledAt": "2999-12-24T18:00:00Z"}
                """.formatted(HTML));
        String path = api.header("Location");

        assertThat(api.patch(path, "{\"zone\": \"Mars\"}").<List<String>>json("$.errors[*].field"))
                .containsExactly("zone");
        assertThat(api.patch(path, "{\"zone\": \"Europe/Berlin\"}").status()).isEqualTo(200);

        api.get(path);
        assertThat(api.<String>json("$.zone")).isEqualTo("Europe/Berlin");
        assertThat(api.<String>json("$.scheduledAt")).isEqualTo("2999-12-24T18:00:00Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "list        | {'list': 'nowhere', 'subject': 'x', 'html': '<p>x</p>'}                            | There is no list",
                "list        | {'subject': 'x', 'html': '<p>x</p>'}                                               | missing",
                "subject     | {'list': 'api_news', 'html': '<p>x</p>'}                                           | missing",
                "subject     | {'list': 'api_news', 'subject': 'a\\r\\nBcc: b@c.test', 'html': '<p>x</p>'}        | line break",
                "html        | {'list': 'api_news', 'subject': 'x'}                                               | missing",
                "html        | {'list': 'api_news', 'subject': 'x', 'html': 'just words'}                         | HTML",
                "html        | {'list': 'api_news', 'subject': 'x', 'html': '<p>{{shoe-size}}</p>'}               | shoe-size",
                "scheduledAt | {'list': 'api_news', 'subject': 'x', 'html': '<p>x</p>', 'scheduledAt': '2001-01-01'} | 24 hours",
                "scheduledAt | {'list': 'api_news', 'subject': 'x', 'html': '<p>x</p>', 'scheduledAt': 'soon'}    | Enter a date",
                "zone        | {'list': 'api_news', 'subject': 'x', 'html': '<p>x</p>', 'zone': 'Mars'}           | time zone",
                "zone        | {'list': 'api_news', 'subject': 'x', 'html': '<p>x</p>', 'scheduledAt': '2999-01-01T09:00:00'} | offset",
                "zone        | {'list': 'api_news', 'subject': 'x', 'html': '<p>x</p>', 'scheduledAt': '2999-01-01'} | local time",
                "onUnknown   | {'list': 'api_news', 'subject': 'x', 'html': '<p>x</p>', 'onUnknown': 'maybe'}     | hold or resend",
                "mailClass   | {'list': 'api_news', 'subject': 'x', 'html': '<p>x</p>', 'mailClass': 'Gold'}      | High, Normal, Low"
            })
    void aMessageThatCannotBeSentIsRefusedAtItsField(String field, String json, String message) throws Exception {
        api.post("/api/v1/messages", json.replace('\'', '"'));

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.header("Content-Type")).startsWith("application/problem+json");
        assertThat(api.<List<String>>json("$.errors[?(@.field=='" + field + "')].message"))
                .singleElement()
                .asString()
                .contains(message);
    }

    @Test
    void allMistakesAreReportedAtOnceAndEachFieldOnce() throws Exception {
        api.post(
                "/api/v1/messages",
                "{\"list\": \"api_news\", \"subject\": \"Hello {{nobody}}\", \"html\": \"\","
                        + " \"onUnknown\": \"perhaps\", \"scheduledAt\": \"soon\"}");

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("subject", "html", "onUnknown", "scheduledAt");
    }

    @Test
    void aBodyOverTheLimitIsRefused() throws Exception {
        String html = "<p>" + "x".repeat(5 * 1024 * 1024) + "</p>";

        api.post("/api/v1/messages", "{\"list\": \"api_news\", \"subject\": \"x\", \"html\": \"" + html + "\"}");

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("html");
    }

    @Test
    void messagesAreWalkedByCursorsFromTheFirstPageOn() throws Exception {
        for (int i = 0; i < 5; i++) {
            api.post(
                    "/api/v1/messages",
                    "{\"list\": \"api_news\", \"subject\": \"Walk " + i
                            + "\", \"html\": \"<p>x</p>\", \"scheduledAt\": \"2998-01-01T00:00:00Z\"}");
        }
        List<String> seen = new ArrayList<>();
        String cursor = null;
        do {
            api.get("/api/v1/messages?limit=2"
                    + (cursor == null
                            ? ""
                            : "&cursor="
                                    + URLEncoder.encode(cursor, StandardCharsets.UTF_8)
                                            .replace("+", "%20")));
            List<String> page = api.json("$.items[*].messageRef");
            assertThat(page).hasSizeLessThanOrEqualTo(2);
            seen.addAll(page);
            cursor = api.json("$.cursor");
        } while (cursor != null);

        assertThat(seen).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(5);
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        api.get("/api/v1/messages?limit=1000").<List<String>>json("$.items[*].messageRef"));
        assertThat(api.get("/api/v1/messages?cursor=nonsense").status()).isEqualTo(400);
    }

    @Test
    void aMissingMessageIsNotFoundAndAForeignCursorIsRefused() throws Exception {
        assertThat(api.get("/api/v1/messages/999999999").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/messages/abc").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/outbox/abc").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/messages?limit=0").status()).isEqualTo(400);
        assertThat(api.get("/api/v1/outbox?to=nobody").status()).isEqualTo(400);
    }

    @Test
    void aSubscribeKeyMayNotSend() throws Exception {
        assertThat(api.withKey("nonsense").get("/api/v1/messages").status()).isEqualTo(401);
    }
}
