package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that a repeated call is answered as the first one, whatever happened meanwhile to the things that it names.
 */
class RepeatedCallTest extends OnNamedCalls {

    @Test
    void aRepeatedMessageIsAnsweredAfterItsDateIsTooOld() throws Exception {
        String message = MESSAGE.formatted("dated")
                .replace(
                        "2999-01-01T00:00:00Z",
                        time.instant().minus(Duration.ofHours(23)).toString());
        ApiClient named = api.named("dated").post("/api/v1/messages", message);
        String first = named.text();
        assertThat(named.status()).as(first).isEqualTo(201);

        time.advance(Duration.ofHours(2));

        assertThat(api.post("/api/v1/messages", message).status())
                .as("a new message with this date")
                .isEqualTo(400);
        assertThat(named.post("/api/v1/messages", message).text()).isEqualTo(first);
    }

    @Test
    void aRepeatedListIsAnsweredAfterItsTransportIsRemoved() throws Exception {
        String relay = "/api/v1/transports/once-relay";
        api.put(relay, "{\"kind\": \"smtp\", \"settings\": {\"host\": \"smtp.example.org\"}}");

        assertRepeatable("/api/v1/lists", """
                {"name": "once_relayed", "fromEmail": "news@example.org", "transport": "once-relay"}
                """, relay + "?evenIfChosen=true");
    }

    @Test
    void aRepeatedSubscriptionIsAnsweredAfterItsFieldIsDeleted() throws Exception {
        String field = "/api/v1/lists/once_news/fields/town";
        api.put(field, "{\"label\": \"Town\"}");

        assertRepeatable("/api/v1/lists/once_news/subscriptions", """
                {"email": "of.town@example.org", "attributes": {"town": "Redmond"}}
                """, field);
    }

    @Test
    void repeatedJobsAndDraftsAreAnsweredAfterTheirSegmentIsDeleted() throws Exception {
        String segment = "/api/v1/lists/once_news/segments/org";
        String rules =
                "{\"rules\": {\"any\": [{\"what\": \"address\", \"test\": \"ends-with\", \"value\": \".org\"}]}}";
        api.put(segment, rules);
        assertRepeatable("/api/v1/jobs", """
                {"job": "export", "list": "once_news", "segment": "org"}
                """, segment);

        api.put(segment, rules);
        String message = """
                {"list": "once_news", "segment": "org", "subject": "Of a segment", "html": "<p>x</p>",
                 "scheduledAt": "2999-01-01T00:00:00Z"}
                """;
        ApiClient named = api.named("segment").post("/api/v1/messages", message);
        String first = named.text();
        api.delete(named.header("Location"));
        assertThat(api.delete(segment).status()).as(api.text()).isEqualTo(204);
        assertThat(named.post("/api/v1/messages", message).text()).isEqualTo(first);
    }

    @Test
    void aRepeatedGreetingIsAnsweredAfterItsMessageIsDeleted() throws Exception {
        List<String> others = api.get("/api/v1/greetings").json("$.items[*].id");
        for (String other : others) {
            api.delete("/api/v1/greetings/" + other);
        }
        String draft = api.post("/api/v1/messages", """
                {"list": "once_news", "subject": "Welcome", "html": "<p>Hello</p>", "draft": true}
                """).header("Location");
        String greeting = """
                {"name": "Once", "list": "once_news", "occasion": "welcome", "time": "09:00", "message": "%s"}
                """.formatted(draft.substring(draft.lastIndexOf('/') + 1));
        ApiClient named = api.named("greeting-of-the-deleted").post("/api/v1/greetings", greeting);
        String first = named.text();
        assertThat(named.status()).as(first).isEqualTo(201);
        api.delete(named.header("Location"));
        assertThat(api.delete(draft).status()).isEqualTo(204);

        assertThat(named.post("/api/v1/greetings", greeting).text()).isEqualTo(first);
    }

    @Test
    void aRepeatedKeyIsAnsweredAfterItsListIsDeleted() throws Exception {
        api.post("/api/v1/lists", LIST.formatted("once_of_key", "double"));
        String key = "{\"label\": \"shop\", \"scope\": \"subscribe\", \"lists\": [\"once_of_key\"]}";
        ApiClient named = api.named("key-of-list").post("/api/v1/keys", key);
        assertThat(named.status()).isEqualTo(201);
        api.delete("/api/v1/lists/once_of_key");

        assertThat(named.post("/api/v1/keys", key).<String>json("$.code")).isEqualTo("secret-shown-once");
    }

    /** Checks that a call is answered as the first time after the thing that it names was deleted. */
    private void assertRepeatable(String path, String body, String named) throws Exception {
        ApiClient caller =
                api.named("after-" + named.replaceAll("[^a-z_]", "-")).post(path, body);
        int status = caller.status();
        String first = caller.text();
        assertThat(status).as(first).isBetween(201, 202);
        assertThat(api.delete(named).status()).as(api.text()).isEqualTo(204);

        caller.post(path, body);

        assertThat(caller.text()).isEqualTo(first);
        assertThat(caller.status()).isEqualTo(status);
    }
}
