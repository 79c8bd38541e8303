package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Checks that calls create and revoke API keys, and that a key reaches only what its scope allows. */
@PageTest
class KeyApiTest {

    private static final String LIST = "/api/v1/lists/by_call";

    @Autowired
    MockMvc mvc;

    private ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"by_call\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void keysAreCreatedListedAndRevoked() throws Exception {
        api.post(
                "/api/v1/keys",
                "{\"label\": \"shop\", \"scope\": \"subscribe\", \"lists\": [\"by_call\"], \"lastDay\": \"2099-12-31\"}");
        assertThat(api.status()).as(api.text()).isEqualTo(201);
        String id = api.json("$.id");
        ApiClient shop = api.withKey(api.json("$.secret"));
        assertThat(shop.post(LIST + "/subscriptions", "{\"email\": \"shop@example.org\"}")
                        .status())
                .isEqualTo(202);
        assertThat(shop.post(LIST + "/subscriptions", "{\"email\": \"shop2@example.org\", \"verified\": true}")
                        .status())
                .isEqualTo(403);
        assertThat(api.get("/api/v1/keys").<List<Object>>json("$.items[*].secret"))
                .containsOnlyNulls();
        assertThat(api.<List<?>>json("$.items[?(@.id == '" + id + "')]")).hasSize(1);

        assertThat(api.delete("/api/v1/keys/" + id).status()).isEqualTo(204);
        assertThat(shop.post(LIST + "/subscriptions", "{\"email\": \"late@example.org\"}")
                        .status())
                .isEqualTo(401);
        assertThat(api.delete("/api/v1/keys/" + id).status()).isEqualTo(404);
        assertThat(api.post("/api/v1/keys", "{\"scope\": \"queen\", \"lists\": [\"nowhere\"], \"lastDay\": \"soon\"}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("label", "scope", "lists", "lastDay");
    }

    @Test
    void aKeysQuotaIsChosenWhenItIsCreated() throws Exception {
        String shop =
                "{\"label\": \"shop\", \"scope\": \"subscribe\", \"lists\": [\"by_call\"], \"requestsPerSecond\": ";
        assertThat(api.post("/api/v1/keys", shop + "7}").<Integer>json("$.requestsPerSecond"))
                .isEqualTo(7);
        ApiClient own = api.withKey(api.json("$.secret"));
        assertThat(own.post(LIST + "/subscriptions", "{\"email\": \"quota@example.org\"}")
                        .header("RateLimit-Policy"))
                .contains("q=7");
        assertThat(api.post("/api/v1/keys", shop + "null}").<Object>json("$.requestsPerSecond"))
                .isNull();
        for (String number : List.of("0", "-1", "100001", "2147483647")) {
            assertThat(api.post("/api/v1/keys", shop + number + "}").<List<String>>json("$.errors[*].field"))
                    .as(number)
                    .containsExactly("requestsPerSecond");
        }
        assertThat(api.post("/api/v1/keys", "{\"label\": \"all\", \"scope\": \"admin\", \"requestsPerSecond\": 7}")
                        .<List<String>>json("$.errors[*].message"))
                .containsExactly("Only a key with the scope subscribe has a quota.");
    }

    @Test
    void neitherSubscribeNorMetricsKeysReachAnyOfIt() throws Exception {
        for (String scope : List.of("\"subscribe\", \"lists\": [\"by_call\"]", "\"metrics\"")) {
            api.post("/api/v1/keys", "{\"label\": \"small\", \"scope\": " + scope + "}");
            ApiClient small = api.withKey(api.json("$.secret"));
            for (String path : List.of(
                    "/api/v1/keys",
                    "/api/v1/events",
                    "/api/v1/dead-letters",
                    "/api/v1/transports",
                    "/api/v1/operations",
                    "/api/v1/messages",
                    LIST,
                    LIST + "/subscriptions")) {
                ApiClient refused = small.get(path);
                assertThat(refused.status()).as(path).isEqualTo(403);
                assertThat(refused.<String>json("$.code")).isEqualTo("forbidden");
            }
            assertThat(small.patch(LIST, "{}").status()).isEqualTo(403);
            assertThat(small.post("/api/v1/keys", "{}").status()).isEqualTo(403);
            assertThat(small.post(LIST + "/subscriptions/ann@example.org/unsubscribe", "")
                            .status())
                    .isEqualTo(403);
        }
    }
}
