package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class SegmentApiTest {

    private static final String SEGMENTS = "/api/v1/lists/api_segments/segments/";
    private static final String RULES =
            "{\"rules\": {\"any\": [{\"what\": \"address\", \"test\": \"ends-with\", \"value\": \"@example.org\"}]}}";

    @Autowired
    MockMvc mvc;

    @Autowired
    SimulatedStorage storage;

    private ApiClient api;

    @BeforeEach
    void lists() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"api_segments\", \"fromEmail\": \"news@example.org\"}");
        api.post("/api/v1/lists", "{\"name\": \"api_more\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void twoWhoSaveTheSameSegmentAtOnceBothSucceed() throws Exception {
        ApiClient other = new ApiClient(mvc);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE && call.place().equals("segment")) {
                    storage.hook(CallHook.NONE);
                    try {
                        other.put(SEGMENTS + "twice", RULES);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        });

        api.put(SEGMENTS + "twice", RULES.replace("{\"rules\"", "{\"description\": \"Later\", \"rules\""));

        assertThat(other.status()).as("the other caller came in between").isEqualTo(201);
        assertThat(api.status()).as(api.text()).isEqualTo(200);
        assertThat(api.get(SEGMENTS + "twice").<String>json("$.description")).isEqualTo("Later");
        api.delete(SEGMENTS + "twice");
    }

    @Test
    void aSegmentIsSavedUnderItsVersionAndDeleted() throws Exception {
        api.post("/api/v1/lists/api_segments/subscriptions", "{\"email\": \"a@example.org\", \"verified\": true}");
        assertThat(api.put(SEGMENTS + "Org", RULES).status()).isEqualTo(201);
        assertThat(api.header("Location")).isEqualTo(SEGMENTS + "org");
        String first = api.header("ETag");
        assertThat(api.put(SEGMENTS + "org", RULES.replace("{\"rules\"", "{\"description\": \"Ours\", \"rules\""))
                        .status())
                .isEqualTo(200);
        assertThat(api.ifMatch(first).put(SEGMENTS + "org", RULES).status()).isEqualTo(412);
        assertThat(api.ifMatch(first).delete(SEGMENTS + "org").status()).isEqualTo(412);

        assertThat(api.get(SEGMENTS + "org").<String>json("$.description")).isEqualTo("Ours");
        assertThat(api.<String>json("$.rules.any[0].test")).isEqualTo("ends-with");
        assertThat(api.get(SEGMENTS + "org/people").<Integer>json("$.subscribed"))
                .isEqualTo(1);
        assertThat(api.get("/api/v1/lists/api_segments/segments").<List<String>>json("$.items[*].name"))
                .containsExactly("org");

        assertThat(api.delete(SEGMENTS + "org").status()).isEqualTo(204);
        assertThat(api.get(SEGMENTS + "org").status()).isEqualTo(404);
    }

    @Test
    void everyMistakeHasItsPlace() throws Exception {
        api.put(SEGMENTS + "bad", """
                {"rules": {"all": [{"what": "shoe", "test": "is", "value": "a"},
                 {"none": [{"what": "address", "test": "is", "value": "a", "x": 1}]}]}}
                """);

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("/rules/all/0/what", "/rules/all/1/none/0/x");
        assertThat(api.put(SEGMENTS + "bad", "{}").status()).isEqualTo(400);
        assertThat(api.put(SEGMENTS + "b-d", RULES).status()).isEqualTo(400);
    }

    @Test
    void aMessageToASegmentWhoseRulesCannotBeAppliedIsRefused() throws Exception {
        api.put("/api/v1/lists/api_segments/fields/city", "{}");
        String rules = "{\"rules\": {\"what\": \"field\", \"field\": \"city\", \"test\": \"is\", \"value\": \"Ulm\"}}";
        assertThat(api.put(SEGMENTS + "ulm", rules).status()).isEqualTo(201);
        assertThat(api.delete("/api/v1/lists/api_segments/fields/city").status())
                .isEqualTo(409);
        assertThat(api.<String>json("$.detail")).contains("segments ulm");
        assertThat(api.put("/api/v1/lists/api_segments/fields/city", "{\"type\": \"number\"}")
                        .status())
                .isEqualTo(409);
        assertThat(api.delete("/api/v1/lists/api_segments/fields/city?used=keep")
                        .status())
                .isEqualTo(204);
        String message =
                "{\"list\": \"api_segments\", \"segment\": \"ulm\", \"subject\": \"News\", \"html\": \"<p>News</p>\"";

        assertThat(api.post("/api/v1/messages", message + "}").status()).isEqualTo(409);
        assertThat(api.<String>json("$.detail")).contains("ulm", "no field “city”");
        assertThat(api.post("/api/v1/messages", message + ", \"draft\": true}").status())
                .isEqualTo(201);
        String draft = "/api/v1/messages/" + api.<String>json("$.messageRef");
        assertThat(api.post(draft + "/send", "").status()).isEqualTo(409);
        assertThat(api.get(SEGMENTS + "ulm/people").<Boolean>json("$.counting")).isFalse();
        api.delete(draft);
        api.delete(SEGMENTS + "ulm");
    }

    @Test
    void aMessageNamesASegmentOrSeveralLists() throws Exception {
        api.put(SEGMENTS + "used", RULES);
        String text = "\"subject\": \"News\", \"html\": \"<p>News</p>\", \"draft\": true}";

        assertThat(api.post("/api/v1/messages", "{\"list\": \"api_segments\", \"segment\": \"none\", " + text)
                        .<List<Map<String, String>>>json("$.errors")
                        .get(0))
                .containsEntry("field", "segment");
        api.post("/api/v1/messages", "{\"list\": \"api_segments\", \"segment\": \"used\", " + text);
        assertThat(api.<String>json("$.segment")).isEqualTo("used");
        String message = "/api/v1/messages/" + api.<String>json("$.messageRef");
        assertThat(api.delete(SEGMENTS + "used").status()).isEqualTo(409);
        api.patch(message, "{\"lists\": [\"api_more\", \"api_segments\"]}");
        assertThat(api.<List<String>>json("$.lists")).containsExactly("api_more", "api_segments");
        assertThat(api.<String>json("$.segment")).isNull();
        assertThat(api.patch(message, "{\"lists\": [\"api_more\"], \"segment\": \"used\"}")
                        .status())
                .isEqualTo(400);
        assertThat(api.patch(message, "{\"subject\": \"Other\"}").<List<String>>json("$.lists"))
                .hasSize(2);
        assertThat(api.delete(SEGMENTS + "used").status()).isEqualTo(204);
    }
}
