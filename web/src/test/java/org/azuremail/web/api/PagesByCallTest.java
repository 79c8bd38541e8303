package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

/** Checks that calls can do everything that the pages can. */
@PageTest
class PagesByCallTest {

    private static final String LIST = "/api/v1/lists/by_call";

    @Autowired
    MockMvc mvc;

    @Autowired
    TestMails tests;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    private ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"by_call\", \"fromEmail\": \"news@example.org\"}");
        api.post("/api/v1/lists", "{\"name\": \"by_call_two\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void aListIsChangedWhereItIsAsItWasRead() throws Exception {
        String tag = api.get(LIST).header("ETag");

        assertThat(patch(api.ifMatch(tag), LIST, "{\"fromName\": \"News\", \"replyTo\": \"re@example.org\"}")
                        .status())
                .isEqualTo(200);
        assertThat(api.get(LIST).<String>json("$.fromName")).isEqualTo("News");
        assertThat(api.<String>json("$.fromEmail")).isEqualTo("news@example.org");

        ApiClient late = patch(api.ifMatch(tag), LIST, "{\"fromName\": \"Late\"}");
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.<String>json("$.code")).isEqualTo("version-changed");
        ApiClient emptied = patch(api, LIST, "{\"replyTo\": \"\", \"description\": \"News\"}");
        assertThat(emptied.<Object>json("$.replyTo")).isNull();
        assertThat(patch(api, LIST, "{\"fromEmail\": \"\", \"optIn\": \"never\", \"transport\": \"pigeon\"}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("fromEmail", "transport", "optIn");
        assertThat(patch(api, LIST, "{\"name\": \"other\"}").status()).isEqualTo(400);
        assertThat(patch(api, "/api/v1/lists/nowhere", "{}").status()).isEqualTo(404);
    }

    @Test
    void fieldsAreDefinedCheckedAndSearched() throws Exception {
        String fields = LIST + "/fields";
        String people = LIST + "/subscriptions";
        assertThat(put(fields + "/birthday", "{\"type\": \"month_day\", \"searchable\": true}")
                        .<String>json("$.indexedAt"))
                .isNotNull();
        put(fields + "/points", "{\"label\": \"Points\", \"type\": \"number\"}");
        assertThat(api.get(fields).<List<String>>json("$.items[*].name")).contains("name", "birthday", "points");
        assertThat(put(fields + "/email", "{\"type\": \"number\", \"options\": [\"a\"]}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("name", "options");

        assertThat(api.post(
                                people,
                                "{\"email\": \"fay@example.org\", \"verified\": true, \"attributes\":"
                                        + " {\"birthday\": \"30 February\", \"points\": \"7.50\"}}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("attributes.birthday");
        assertThat(api.post(
                                people,
                                "{\"email\": \"fay@example.org\", \"verified\": true, \"attributes\":"
                                        + " {\"birthday\": \"29 February\", \"points\": \"7.50\"}}")
                        .status())
                .isEqualTo(201);
        assertThat(api.get(people + "/fay@example.org").<String>json("$.attributes.birthday"))
                .isEqualTo("02-29");
        assertThat(patch(api, people + "/fay@example.org", "{\"attributes\": {\"points\": \"\"}}")
                        .<Map<String, String>>json("$.attributes"))
                .isEqualTo(Map.of("birthday", "02-29"));

        assertThat(api.get(people + "?field=birthday&prefix=feb").<List<String>>json("$.items[*].email"))
                .containsExactly("fay@example.org");
        assertThat(api.get(people + "?field=points").status()).isEqualTo(400);
        assertThat(api.get(people + "?field=birthday&prefix=nonsense").status()).isEqualTo(400);

        assertThat(api.post(fields + "/index", "").status()).isEqualTo(202);
        assertThat(api.get(api.header("Location")).<String>json("$.job")).isEqualTo("field-index");
        assertThat(api.<String>json("$.state")).isEqualTo("running");

        assertThat(api.delete(fields + "/birthday").status()).isEqualTo(204);
        assertThat(api.delete(fields + "/name").status()).isEqualTo(404);
        assertThat(api.get(people + "/fay@example.org").<Map<String, String>>json("$.attributes"))
                .isEmpty();
    }

    @Test
    void valuesThatDoNotFitAreNamedBeforeAFieldIsChanged() throws Exception {
        String field = LIST + "/fields/level";
        put(field, "{}");
        String person = "{\"email\": \"%s@example.org\", \"verified\": true, \"attributes\": {\"level\": \"%s\"}}";
        api.post(LIST + "/subscriptions", person.formatted("lee", "high"));
        api.post(LIST + "/subscriptions", person.formatted("lou", "7"));

        put(field, "{\"type\": \"number\"}");
        assertThat(api.status()).isEqualTo(409);
        assertThat(api.<String>json("$.code")).isEqualTo("values-unfit");
        assertThat(api.<String>json("$.detail")).contains("1 of 2", "lee@example.org");
        assertThat(api.get(LIST + "/fields").<List<String>>json("$.items[?(@.name == 'level')].type"))
                .containsExactly("text");

        assertThat(put(field + "?unfit=drop", "{\"type\": \"number\"}").status())
                .isEqualTo(400);
        assertThat(put(field + "?unfit=keep", "{\"type\": \"number\"}").status())
                .isEqualTo(200);
        assertThat(put(field, "{\"type\": \"text\"}").status())
                .as("everything is text")
                .isEqualTo(200);
    }

    /** The count of a moment ago must not stand for values that came since. */
    @Test
    void aFieldIsCheckedAgainAfterValuesWereCorrected() throws Exception {
        String field = LIST + "/fields/grade";
        put(field, "{}");
        String person = "{\"email\": \"gil@example.org\", \"verified\": true, \"attributes\": {\"grade\": \"high\"}}";
        api.post(LIST + "/subscriptions", person);
        assertThat(put(field, "{\"type\": \"number\"}").status()).isEqualTo(409);
        patch(api, LIST + "/subscriptions/gil@example.org", "{\"attributes\": {\"grade\": \"8\"}}");
        assertThat(put(field, "{\"type\": \"number\"}").status()).isEqualTo(200);
    }

    private ApiClient put(String path, String body) throws Exception {
        return api.send(HttpMethod.PUT, path, "application/json", body);
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
        assertThat(patch(api.ifMatch(tag), ann, "{\"name\": \"Anne\"}").<String>json("$.name"))
                .isEqualTo("Anne");
        assertThat(patch(api.ifMatch(tag), ann, "{\"name\": \"Late\"}").status())
                .isEqualTo(412);
        assertThat(patch(api, ann, "{\"attributes\": {\"city\": null}, \"email\": \"nonsense\"}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("email");
        assertThat(api.post(people, "{\"email\": \"x@example.org\", \"attributes\": {\"city\": null}}")
                        .status())
                .isEqualTo(400);

        assertThat(patch(api, ann, "{\"email\": \"anne@example.org\", \"list\": \"by_call_two\"}")
                        .<String>json("$.list"))
                .isEqualTo("by_call_two");
        String anne = "/api/v1/lists/by_call_two/subscriptions/anne@example.org";
        assertThat(api.get(anne).<String>json("$.state")).isEqualTo("subscribed");

        assertThat(api.post(anne + "/unsubscribe", "").<String>json("$.state")).isEqualTo("unsubscribed");
        assertThat(patch(api, anne, "{\"verified\": true}").<String>json("$.code"))
                .isEqualTo("has-left");
        assertThat(patch(api, anne, "{\"verified\": true, \"again\": true}").<String>json("$.state"))
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

    @Test
    void aMessageIsReadPreviewedTestedAndSentFromADraft() throws Exception {
        api.post(
                "/api/v1/messages",
                "{\"list\": \"by_call\", \"subject\": \"Hi {{name|you}}\", \"html\": \"<p>Hello</p>\", \"draft\": true}");
        assertThat(api.<Boolean>json("$.draft")).as(api.text()).isTrue();
        String path = "/api/v1/messages/" + api.<String>json("$.messageRef");

        assertThat(api.get(path + "/content").<String>json("$.subject")).isEqualTo("Hi {{name|you}}");
        assertThat(api.get(path + "/preview?known=false").<String>json("$.subject"))
                .isEqualTo("Hi you");
        assertThat(api.get(path + "/waiting").<List<?>>json("$.items")).isEmpty();
        assertThat(api.post(path + "/tests", "{\"email\": \"nonsense\"}").status())
                .isEqualTo(400);
        assertThat(api.post(path + "/tests", "{\"email\": \"me@example.org\"}").status())
                .isEqualTo(202);
        assertThat(api.<String>json("$.state")).as("another process sends it").isEqualTo("queued");
        String test = api.header("Location");
        assertThat(api.get(test).<String>json("$.email")).isEqualTo("me@example.org");
        assertThat(api.get(path + "/tests").<List<?>>json("$.items")).hasSize(1);
        assertThat(api.get(path + "/tests/nowhere").status()).isEqualTo(404);

        assertThat(api.post(path + "/send", "").<Boolean>json("$.paused")).isFalse();
        assertThat(api.post(path + "/send", "").<String>json("$.code")).isEqualTo("message-state-forbids");
    }

    @Test
    void aQueuedTestMailIsNotCalledHandedOverAndItsRefusalIsShown() throws Exception {
        api.post(
                "/api/v1/messages",
                "{\"list\": \"by_call\", \"subject\": \"Queued\", \"html\": \"<p>x</p>\", \"draft\": true}");
        String ref = api.json("$.messageRef");
        TestBrowser browser = browsers.getObject().signIn();
        browser.open("/messages/" + ref + "/preview")
                .submit("/messages/" + ref + "/test", Map.of("email", "me@example.org"));
        assertThat(browser.text())
                .contains("The test email is queued", "Queued")
                .doesNotContain("was handed over");
        assertThat(browser.page().select("#tests").attr("hx-trigger")).isEqualTo("every 2s");

        MessageRef message = MessageRef.parse(ref).orElseThrow();
        String id = tests.newest(message, 1).get(0).id();
        tests.note(message, id, new TestMails.Result(TestMails.State.QUEUED, Reason.ofText("the limit is reached")));
        assertThat(browser.open("/messages/" + ref + "/preview").text()).contains("Queued", "the limit is reached");
        tests.note(message, id, new TestMails.Result(TestMails.State.REFUSED, Reason.ofText("550 no such user")));
        tests.note(message, id, new TestMails.Result(TestMails.State.HANDED_OVER, Reason.ofText("late")));

        assertThat(browser.open("/messages/" + ref + "/preview").text()).contains("Refused", "550 no such user");
        assertThat(browser.page().select("#tests").attr("hx-trigger")).isEmpty();
        assertThat(api.get("/api/v1/messages/" + ref + "/tests/" + id).<String>json("$.state"))
                .isEqualTo("refused");
    }

    @Test
    void messagesAreWalkedByCursorsFromTheFirstPageOn() throws Exception {
        for (int i = 0; i < 5; i++) {
            api.post(
                    "/api/v1/messages",
                    "{\"list\": \"by_call\", \"subject\": \"Walk " + i
                            + "\", \"html\": \"<p>x</p>\", \"scheduledAt\": \"2998-01-01T00:00:00Z\"}");
        }
        List<String> seen = new java.util.ArrayList<>();
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
            assertThat(patch(small, LIST, "{}").status()).isEqualTo(403);
            assertThat(small.post("/api/v1/keys", "{}").status()).isEqualTo(403);
            assertThat(small.post(LIST + "/subscriptions/ann@example.org/unsubscribe", "")
                            .status())
                    .isEqualTo(403);
        }
    }

    private static ApiClient patch(ApiClient client, String path, String json) throws Exception {
        return client.send(HttpMethod.PATCH, path, "application/json", json);
    }
}
