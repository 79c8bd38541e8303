package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Checks that calls can do everything that the pages of messages can. */
@PageTest
class MessageActsApiTest {

    private static final Map<String, Outcome> OUTCOMES = Map.of(
            "ann@example.org", Outcome.SENT,
            "bob@example.org", Outcome.FAILED,
            "cleo@example.org", Outcome.UNKNOWN,
            "dan@example.org", Outcome.UNKNOWN);

    @Autowired
    MockMvc mvc;

    @Autowired
    EndedMessage ended;

    @Autowired
    Messages messages;

    @Autowired
    MessageStore store;

    private ApiClient api;

    @BeforeEach
    void client() {
        api = new ApiClient(mvc);
    }

    @Test
    void aMessageIsPausedChangedResumedAndCancelled() throws Exception {
        String path = path(ended.processing("api_acts"));
        assertThat(patch(path, "{\"subject\": \"Too early\"}").status()).isEqualTo(409);

        assertThat(api.post(path + "/pause", "").<Boolean>json("$.paused")).isTrue();
        assertThat(patch(path, "{\"subject\": \"Better\", \"onUnknown\": \"resend\"}")
                        .status())
                .isEqualTo(200);
        assertThat(api.<String>json("$.subject")).isEqualTo("Better");
        assertThat(api.<String>json("$.onUnknown")).isEqualTo("resend");
        assertThat(patch(path, "{\"html\": \"just words\"}").status()).isEqualTo(400);
        assertThat(patch(path, "{\"mailClass\": \"High\"}").status()).isEqualTo(409);
        assertThat(patch(path, "{\"scheduledAt\": \"2999-01-01T00:00:00Z\"}").status())
                .isEqualTo(409);
        assertThat(api.post(path + "/resume", "").<Boolean>json("$.paused")).isFalse();
        assertThat(api.post(path + "/resume", "").status()).isEqualTo(409);
        assertThat(api.post(path + "/cancel", "").<String>json("$.state")).isEqualTo("cancelled");
        assertThat(api.post(path + "/cancel", "").status()).isEqualTo(409);
        assertThat(api.delete(path).status()).isEqualTo(409);
    }

    @Test
    void r10_aPendingMessageHasAClassOrThatOfItsListsPlan() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_class\", \"fromEmail\": \"news@example.org\"}");
        api.post("/api/v1/messages", """
                {"list": "api_class", "subject": "x", "html": "<p>x</p>", "mailClass": "hIGH",
                 "scheduledAt": "2999-01-01T00:00:00Z"}""");
        String path = api.header("Location");
        assertThat(api.<String>json("$.mailClass")).isEqualTo("High");

        assertThat(patch(path, "{\"subject\": \"y\"}").<String>json("$.mailClass"))
                .isEqualTo("High");
        assertThat(patch(path, "{\"mailClass\": \"Gold\"}").status()).isEqualTo(400);
        assertThat(patch(path, "{\"mailClass\": \"low\"}").<String>json("$.mailClass"))
                .isEqualTo("Low");
        assertThat(patch(path, "{\"mailClass\": \"\"}").<String>json("$.mailClass"))
                .isNull();
    }

    @Test
    void textThatWasGeneratedFollowsTheHtmlThatIsPatched() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_text\", \"fromEmail\": \"news@example.org\"}");
        api.post(
                "/api/v1/messages",
                "{\"list\": \"api_text\", \"subject\": \"x\", \"html\": \"<p>old</p>\", \"text\": \"\","
                        + " \"scheduledAt\": \"2999-01-01T00:00:00Z\"}");
        String path = api.header("Location");

        assertThat(patch(path, "{\"html\": \"<p>new</p>\"}").status()).isEqualTo(200);

        MessageRef ref = MessageRef.parse(path.replaceAll(".*/", "")).orElseThrow();
        assertThat(messages.bodies(messages.find(ref).orElseThrow())
                        .orElseThrow()
                        .text())
                .isEqualTo("new\n");
    }

    @Test
    void aPendingMessageIsDeleted() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_delete\", \"fromEmail\": \"news@example.org\"}");
        api.post(
                "/api/v1/messages",
                "{\"list\": \"api_delete\", \"subject\": \"x\", \"html\": \"<p>x</p>\", \"scheduledAt\": \"2999-01-01T00:00:00Z\"}");
        String path = api.header("Location");

        assertThat(patch(path, "{\"scheduledAt\": \"2999-02-01T00:00:00Z\"}").<String>json("$.scheduledAt"))
                .isEqualTo("2999-02-01T00:00:00Z");
        assertThat(api.delete(path).status()).isEqualTo(204);
        assertThat(api.get(path).status()).isEqualTo(404);
        assertThat(api.delete(path).status()).isEqualTo(404);
    }

    @Test
    void aChangedDateNamesItsZoneOrAnOffsetAndLeavesTheZoneAlone() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_zone\", \"fromEmail\": \"news@example.org\"}");
        api.post("/api/v1/messages", """
                {"list": "api_zone", "subject": "x", "html": "<html><body><p>x</p></body></html>",
                 "scheduledAt": "2999-01-01T09:00:00", "zone": "Europe/Berlin"}""");
        String path = api.header("Location");

        assertThat(patch(path, "{\"scheduledAt\": \"2999-02-01T09:00:00\"}").status())
                .isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("zone");
        assertThat(patch(path, "{\"scheduledAt\": \"2999-02-01T09:00:00Z\"}").<String>json("$.scheduledAt"))
                .isEqualTo("2999-02-01T09:00:00Z");
        assertThat(api.<String>json("$.zone")).isEqualTo("Europe/Berlin");
    }

    @Test
    void aChangeThatNamesTheVersionItReadDoesNotOverwriteAnother() throws Exception {
        String path = pending("api_tags");
        String read = api.get(path).header("ETag");
        assertThat(read).matches("\"[A-Za-z0-9_-]+\"");

        ApiClient first = api.ifMatch(read).send(HttpMethod.PATCH, path, "application/json", "{\"subject\": \"One\"}");
        assertThat(first.status()).isEqualTo(200);
        ApiClient second = api.ifMatch("\"other\", " + read)
                .send(HttpMethod.PATCH, path, "application/json", "{\"subject\": \"Two\"}");

        assertThat(second.status()).isEqualTo(412);
        assertThat(second.header("Content-Type")).startsWith("application/problem+json");
        assertThat(api.get(path).<String>json("$.subject")).isEqualTo("One");
        assertThat(api.header("ETag")).isEqualTo(first.header("ETag")).isNotEqualTo(read);
        for (String good : List.of(first.header("ETag"), "*")) {
            assertThat(api.ifMatch(good)
                            .send(HttpMethod.PATCH, path, "application/json", "{\"subject\": \"One\"}")
                            .status())
                    .as(good)
                    .isEqualTo(200);
        }
        assertThat(api.ifMatch("W/" + api.get(path).header("ETag"))
                        .send(HttpMethod.PATCH, path, "application/json", "{\"subject\": \"Weak\"}")
                        .status())
                .isEqualTo(412);
        assertThat(patch(path, "{\"subject\": \"Whatever is there\"}").status()).isEqualTo(200);
    }

    @Test
    void aMessageIsDeletedAsItWasReadOrNotAtAll() throws Exception {
        String path = pending("api_delete_read");
        String read = api.get(path).header("ETag");
        patch(path, "{\"subject\": \"Another\"}");

        assertThat(api.ifMatch(read).delete(path).status()).isEqualTo(412);
        assertThat(api.get(path).<String>json("$.subject")).isEqualTo("Another");
        assertThat(api.ifMatch(api.header("ETag")).delete(path).status()).isEqualTo(204);
        assertThat(api.get(path).status()).isEqualTo(404);
    }

    @Test
    void allMistakesOfAChangeAreReportedAtOnce() throws Exception {
        String path = pending("api_change_wrong");

        patch(path, "{\"html\": \"just words\", \"scheduledAt\": \"soon\", \"subject\": \"Hi {{nobody}}\"}");

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("html", "scheduledAt", "subject");
    }

    @Test
    void aTagIsNoConditionOfReading() throws Exception {
        String path = pending("api_tag_read");
        String tag = api.get(path).header("ETag");

        int status = mvc.perform(MockMvcRequestBuilders.get(path)
                        .header("Authorization", "Bearer " + PageTestConfiguration.API_KEY)
                        .header("If-None-Match", tag))
                .andReturn()
                .getResponse()
                .getStatus();

        assertThat(status).isEqualTo(200);
    }

    private String pending(String list) throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"" + list + "\", \"fromEmail\": \"news@example.org\"}");
        api.post(
                "/api/v1/messages",
                "{\"list\": \"" + list
                        + "\", \"subject\": \"x\", \"html\": \"<html><body><p>x</p></body></html>\","
                        + " \"scheduledAt\": \"2999-01-01T00:00:00Z\"}");
        return api.header("Location");
    }

    @Test
    void outcomesAreListedByOutcomeAndOneAddressIsExplained() throws Exception {
        String path = path(ended.completed("api_outcomes", OUTCOMES));

        assertThat(api.get(path + "/outcomes?outcome=unknown").<List<String>>json("$.items[*].email"))
                .containsExactly("cleo@example.org", "dan@example.org");
        assertThat(api.get(path + "/outcomes?outcome=maybe").status()).isEqualTo(400);
        assertThat(api.get(path + "/outcomes?outcome=sent&cursor=nonsense").status())
                .isEqualTo(400);
        assertThat(api.get(path + "/outcomes?outcome=sent&cursor=7.x").status()).isEqualTo(400);
        assertThat(api.get(path + "/recipients/bob@example.org").<String>json("$.verdict"))
                .isEqualTo("failed");
        assertThat(api.<String>json("$.why")).startsWith("Not sent: ");
        assertThat(api.get(path + "/recipients/nobody@example.org").<String>json("$.verdict"))
                .isEqualTo("not_a_recipient");
        assertThat(api.<String>json("$.why")).contains("It is not on the list api_outcomes now");
        assertThat(api.get(path + "/recipients/nonsense").status()).isEqualTo(400);
    }

    private ApiClient patch(String path, String json) throws Exception {
        return api.send(HttpMethod.PATCH, path, "application/json", json);
    }

    private static String path(Message message) {
        return "/api/v1/messages/" + message.ref();
    }
}
