package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Checks that calls change, move and suppress one subscriber. */
@PageTest
class SubscriberActsApiTest {

    private static final String LIST = "/api/v1/lists/by_call";

    @Autowired
    MockMvc mvc;

    private ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"by_call\", \"fromEmail\": \"news@example.org\"}");
        api.post("/api/v1/lists", "{\"name\": \"by_call_two\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void aSubscriberIsAddedChangedMovedAndUnsubscribed() throws Exception {
        String people = LIST + "/subscriptions";
        assertThat(api.post(people, "{\"email\": \"ann@example.org\", \"name\": \"Ann\", \"verified\": true}")
                        .status())
                .isEqualTo(201);
        assertThat(api.<String>json("$.state")).isEqualTo("subscribed");
        assertThat(api.post(people, "{\"email\": \"ann@example.org\", \"verified\": true}")
                        .<String>json("$.code"))
                .isEqualTo("already-there");
        String ann = people + "/ann@example.org";
        String tag = api.get(ann).header("ETag");
        assertThat(api.ifMatch(tag).patch(ann, "{\"name\": \"Anne\"}").<String>json("$.name"))
                .isEqualTo("Anne");
        assertThat(api.ifMatch(tag).patch(ann, "{\"name\": \"Late\"}").status()).isEqualTo(412);
        assertThat(api.patch(ann, "{\"attributes\": {\"city\": null}, \"email\": \"nonsense\"}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("email");
        assertThat(api.post(people, "{\"email\": \"x@example.org\", \"attributes\": {\"city\": null}}")
                        .status())
                .isEqualTo(400);

        assertThat(api.patch(ann, "{\"email\": \"anne@example.org\", \"list\": \"by_call_two\"}")
                        .<String>json("$.list"))
                .isEqualTo("by_call_two");
        String anne = "/api/v1/lists/by_call_two/subscriptions/anne@example.org";
        assertThat(api.get(anne).<String>json("$.state")).isEqualTo("subscribed");

        assertThat(api.post(anne + "/unsubscribe", "").<String>json("$.state")).isEqualTo("unsubscribed");
        assertThat(api.patch(anne, "{\"verified\": true}").<String>json("$.code"))
                .isEqualTo("has-left");
        assertThat(api.patch(anne, "{\"verified\": true, \"again\": true}").<String>json("$.state"))
                .isEqualTo("subscribed");
        assertThat(api.post(anne + "/confirm-again", "").<String>json("$.code")).isEqualTo("state-forbids");
    }

    @Test
    @DisplayName("A72: a call suppresses a person on one list, and another one releases them")
    void a72_suppressedAndReleasedByCall() throws Exception {
        String sue = LIST + "/subscriptions/sue@example.org";
        assertThat(api.post(sue + "/suppress", "").status()).isEqualTo(404);
        api.post(LIST + "/subscriptions", "{\"email\": \"sue@example.org\", \"verified\": true}");
        assertThat(api.post(sue + "/release", "").<String>json("$.code")).isEqualTo("state-forbids");
        assertThat(api.post(sue + "/suppress", "{\"why\": \"" + "x".repeat(201) + "\"}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("why");

        assertThat(api.post(sue + "/suppress", "{\"why\": \"asked by phone\"}").<String>json("$.state"))
                .isEqualTo("suppressed");
        assertThat(api.post(LIST + "/subscriptions", "{\"email\": \"sue@example.org\"}")
                        .status())
                .isEqualTo(202);
        assertThat(api.get(sue).<String>json("$.state")).isEqualTo("suppressed");
        assertThat(api.<List<?>>json("$.consent[?(@.kind == 'SUPPRESSED')]['detail', 'reasonCode']"))
                .isEqualTo(List.of(Map.of("detail", "asked by phone", "reasonCode", "SAID")));
        assertThat(api.post(sue + "/release", "").<String>json("$.state")).isEqualTo("unsubscribed");
    }
}
