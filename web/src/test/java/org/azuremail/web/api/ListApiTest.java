package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.azuremail.list.ListName;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class ListApiTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    ApiKeys keys;

    @Autowired
    EndedMessage messages;

    @Autowired
    ManualTime time;

    private ApiClient api;

    @BeforeEach
    void client() {
        api = new ApiClient(mvc);
    }

    @Test
    void aListIsMadeShownAndEnumerated() throws Exception {
        api.post("/api/v1/lists", """
                {"name": "Api_1", "description": "Über uns", "fromEmail": "news@example.org",
                 "fromName": "The News", "optIn": "single", "address": " 1 Main St ", "language": "PT-br",
                 "plan": "Fee-Paying"}
                """);

        assertThat(api.status()).isEqualTo(201);
        assertThat(api.header("Location")).isEqualTo("/api/v1/lists/api_1");
        api.get("/api/v1/lists/api_1");
        assertThat(api.<String>json("$.description")).isEqualTo("Über uns");
        assertThat(api.<String>json("$.optIn")).isEqualTo("single");
        assertThat(api.<String>json("$.address")).isEqualTo("1 Main St");
        assertThat(api.<String>json("$.language")).isEqualTo("pt-BR");
        assertThat(api.<String>json("$.plan")).isEqualTo("fee-paying");
        api.send(HttpMethod.PATCH, "/api/v1/lists/api_1", "application/json", "{\"address\": \"\"}");
        assertThat(api.<String>json("$.plan")).isEqualTo("fee-paying");
        assertThat(api.<String>json("$.address")).isNull();
        assertThat(api.<String>json("$.language")).isEqualTo("pt-BR");
        assertThat(api.<Map<String, Integer>>json("$.counts"))
                .isEqualTo(Map.of(
                        "unconfirmed", 0, "subscribed", 0, "unsubscribed", 0, "suppressed", 0, "moved", 0, "total", 0));
        assertThat(api.get("/api/v1/lists").<List<String>>json("$.items[*].name"))
                .contains("api_1");
    }

    @Test
    void aListIsChangedWhereItIsAsItWasRead() throws Exception {
        String list = "/api/v1/lists/by_call";
        api.post("/api/v1/lists", "{\"name\": \"by_call\", \"fromEmail\": \"news@example.org\"}");
        String tag = api.get(list).header("ETag");

        assertThat(api.ifMatch(tag)
                        .patch(list, "{\"fromName\": \"News\", \"replyTo\": \"re@example.org\"}")
                        .status())
                .isEqualTo(200);
        assertThat(api.get(list).<String>json("$.fromName")).isEqualTo("News");
        assertThat(api.<String>json("$.fromEmail")).isEqualTo("news@example.org");

        ApiClient late = api.ifMatch(tag).patch(list, "{\"fromName\": \"Late\"}");
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.<String>json("$.code")).isEqualTo("version-changed");
        ApiClient emptied = api.patch(list, "{\"replyTo\": \"\", \"description\": \"News\"}");
        assertThat(emptied.<Object>json("$.replyTo")).isNull();
        assertThat(api.patch(list, "{\"fromEmail\": \"\", \"optIn\": \"never\", \"transport\": \"pigeon\"}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("fromEmail", "transport", "optIn");
        assertThat(api.patch(list, "{\"name\": \"other\"}").status()).isEqualTo(400);
        assertThat(api.patch("/api/v1/lists/nowhere", "{}").status()).isEqualTo(404);
    }

    @Test
    void everyWrongFieldIsNamedAtOnce() throws Exception {
        api.post("/api/v1/lists", """
                {"name": "a/b", "fromEmail": "x", "fromName": "a\\r\\nBcc: b", "optIn": "triple", "replyTo": "@",
                 "language": "english, please", "address": "a\\nb", "plan": "gold"}
                """);

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.header("Content-Type")).startsWith("application/problem+json");
        assertThat(api.<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder(
                        "name", "fromEmail", "fromName", "optIn", "replyTo", "language", "address", "plan");
        assertThat(api.post("/api/v1/lists", "{}").<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("name", "fromEmail");
    }

    @Test
    void wordsInLettersOutsideAsciiAreRefused() throws Exception {
        api.post(
                "/api/v1/lists",
                "{\"name\": \"api_odd\", \"fromEmail\": \"news@example.org\", \"optIn\": \"\u017Fingle\"}");
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("optIn");

        api.post("/api/v1/keys", "{\"label\": \"odd\", \"scope\": \"\u017Fubscribe\"}");
        assertThat(api.<List<String>>json("$.errors[*].field")).contains("scope");
    }

    @Test
    void r11_aListHasAPlanOrNone() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_plan\", \"fromEmail\": \"news@example.org\"}");
        assertThat(api.<String>json("$.plan")).isNull();

        api.send(HttpMethod.PATCH, "/api/v1/lists/api_plan", "application/json", "{\"plan\": \"free\"}");
        assertThat(api.get("/api/v1/lists/api_plan").<String>json("$.plan")).isEqualTo("free");
        api.send(HttpMethod.PATCH, "/api/v1/lists/api_plan", "application/json", "{\"plan\": \"\"}");
        assertThat(api.get("/api/v1/lists/api_plan").<String>json("$.plan")).isNull();
    }

    @Test
    void aListSendsAWelcomeEmailOrDoesNot() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_welcome\", \"fromEmail\": \"news@example.org\"}");
        assertThat(api.<Boolean>json("$.welcome")).isFalse();

        api.send(HttpMethod.PATCH, "/api/v1/lists/api_welcome", "application/json", "{\"welcome\": true}");
        api.send(HttpMethod.PATCH, "/api/v1/lists/api_welcome", "application/json", "{\"description\": \"Hello\"}");
        assertThat(api.get("/api/v1/lists/api_welcome").<Boolean>json("$.welcome"))
                .isTrue();

        api.post("/api/v1/lists", "{\"name\": \"api_hello\", \"fromEmail\": \"news@example.org\", \"welcome\": true}");
        assertThat(api.get("/api/v1/lists/api_hello").<Boolean>json("$.welcome"))
                .isTrue();
    }

    @Test
    void r16_aListHasLimitsOfItsOwnOrNone() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_slow\", \"fromEmail\": \"news@example.org\", \"perMinute\": 20}");
        assertThat(api.<Integer>json("$.perMinute")).isEqualTo(20);
        assertThat(api.<Integer>json("$.perHour")).isZero();

        api.send(HttpMethod.PATCH, "/api/v1/lists/api_slow", "application/json", "{\"perHour\": 500}");
        assertThat(api.get("/api/v1/lists/api_slow").<Integer>json("$.perMinute"))
                .isEqualTo(20);
        assertThat(api.<Integer>json("$.perHour")).isEqualTo(500);
        api.send(HttpMethod.PATCH, "/api/v1/lists/api_slow", "application/json", "{\"perMinute\": -1}");
        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("perMinute");
        api.send(HttpMethod.PATCH, "/api/v1/lists/api_slow", "application/json", "{\"perMinute\": 0, \"perHour\": 0}");
        assertThat(api.get("/api/v1/lists/api_slow").<Integer>json("$.perMinute"))
                .isZero();
    }

    @Test
    void r16_emailsThatWaitForTheListsLimitGoOnWhenItIsRaised() throws Exception {
        BooleanSupplier waits = messages.waiting(
                "api_waits", time.instant().plus(Duration.ofHours(1)), "the limit of the list is reached");
        api.send(HttpMethod.PATCH, "/api/v1/lists/api_waits", "application/json", "{\"fromName\": \"News\"}");
        assertThat(waits.getAsBoolean()).as("nothing about limits").isTrue();

        api.send(HttpMethod.PATCH, "/api/v1/lists/api_waits", "application/json", "{\"perHour\": 500}");

        assertThat(waits.getAsBoolean()).isFalse();
    }

    @Test
    void aNameThatExistsIsAConflict() throws Exception {
        String list = "{\"name\": \"api_twice\", \"fromEmail\": \"news@example.org\"}";
        api.post("/api/v1/lists", list);

        assertThat(api.post("/api/v1/lists", list).status()).isEqualTo(409);
        assertThat(api.<String>json("$.detail")).contains("api_twice exists already");
    }

    @Test
    void aListIsDeletedInTheBackground() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"api_gone\", \"fromEmail\": \"news@example.org\"}");
        api.post("/api/v1/lists/api_gone/subscriptions", "{\"email\": \"ann@example.org\"}");

        assertThat(api.delete("/api/v1/lists/api_gone").status()).isEqualTo(202);

        assertThat(api.get("/api/v1/lists/api_gone").<Boolean>json("$.deleting"))
                .isTrue();
        api.post("/api/v1/lists/api_gone/subscriptions", "{\"email\": \"bob@example.org\"}");
        assertThat(api.status()).isEqualTo(404);
    }

    @Test
    void unknownCallsAndMalformedJsonAreProblemsToo() throws Exception {
        assertThat(api.get("/api/v1/lists/nobody_here").status()).isEqualTo(404);
        assertThat(api.<String>json("$.detail")).isEqualTo("There is no list nobody_here.");
        assertThat(api.get("/api/v1/nonsense").status()).isEqualTo(404);
        assertThat(api.header("Content-Type")).startsWith("application/problem+json");
        assertThat(api.post("/api/v1/lists", "{").status()).isEqualTo(400);
        assertThat(api.header("Content-Type")).startsWith("application/problem+json");
        assertThat(api.send(HttpMethod.POST, "/api/v1/lists", "text/plain", "x").status())
                .isEqualTo(415);
    }

    @Test
    void e26_withoutAKeyOrWithAnotherScopeNothingIsDone() throws Exception {
        String subscriber = keys.create(
                        keys.nextSecret(),
                        ApiKey.Terms.of("partner", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("api_own"))),
                        "test")
                .secret()
                .text();
        String list = "{\"name\": \"api_own\", \"fromEmail\": \"news@example.org\"}";

        assertThat(api.withKey("").post("/api/v1/lists", list).status()).isEqualTo(401);
        assertThat(api.withKey("am_wrong").post("/api/v1/lists", list).status()).isEqualTo(401);
        assertThat(api.withKey(subscriber).post("/api/v1/lists", list).status()).isEqualTo(403);
        assertThat(api.get("/api/v1/lists/api_own").status()).isEqualTo(404);

        api.post("/api/v1/lists", list);
        String bob = "{\"email\": \"bob@example.org\"}";
        ApiClient partner = api.withKey(subscriber);
        assertThat(partner.post("/api/v1/lists/api_own/subscriptions", bob).status())
                .isEqualTo(202);
        assertThat(partner.post("/api/v1/lists/contoso1/subscriptions", bob).status())
                .isEqualTo(403);
        assertThat(partner.get("/api/v1/lists/api_own/subscriptions").status()).isEqualTo(403);
        assertThat(partner.postCsv("/api/v1/lists/api_own/imports", "email\n").status())
                .isEqualTo(403);
        assertThat(partner.delete("/api/v1/lists/api_own/subscriptions/bob@example.org")
                        .status())
                .isEqualTo(403);
    }
}
