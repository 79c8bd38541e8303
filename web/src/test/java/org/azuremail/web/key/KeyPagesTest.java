package org.azuremail.web.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.account.Secret;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

@PageTest
class KeyPagesTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    TestBrowser browser;

    @Autowired
    ApiKeys keys;

    @Autowired
    ManualTime time;

    @Test
    void missingAndWrongKeysHaveDifferentCodes() throws Exception {
        MockHttpServletResponse missing =
                mvc.perform(get("/api/v1/lists")).andReturn().getResponse();
        MockHttpServletResponse wrong = call("/api/v1/lists", "am_wrong");

        assertThat(missing.getStatus()).isEqualTo(401);
        assertThat(missing.getHeader("WWW-Authenticate")).isEqualTo("Bearer realm=\"AzureMail\"");
        assertThat(missing.getContentAsString())
                .contains("\"code\":\"key-missing\"", "\"type\":\"urn:azuremail:problem:key-missing\"");
        assertThat(wrong.getStatus()).isEqualTo(401);
        assertThat(wrong.getHeader("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"AzureMail\", error=\"invalid_token\"");
        assertThat(wrong.getContentAsString())
                .contains("\"code\":\"key-unknown\"", "\"type\":\"urn:azuremail:problem:key-unknown\"");
        assertThat(call("/api/v1/lists", "").getContentAsString()).contains("key-missing");
        assertThat(mvc.perform(get("/api/v1/lists").header("Authorization", "Basic YTpi"))
                        .andReturn()
                        .getResponse()
                        .getContentAsString())
                .contains("key-missing");
        assertThat(mvc.perform(get("/api/v1/lists").header("Authorization", "Bearer a", "Bearer b"))
                        .andReturn()
                        .getResponse()
                        .getContentAsString())
                .contains("key-missing");
    }

    @Test
    void expiredAndRevokedKeysHaveDifferentCodes() throws Exception {
        ApiKey.Terms terms = ApiKey.Terms.of("short", ApiKey.Scope.ADMIN, Set.of());
        String expired = keys.create(
                        keys.nextSecret(),
                        new ApiKey.Terms(
                                "short",
                                ApiKey.Scope.ADMIN,
                                Set.of(),
                                time.instant().plusSeconds(1),
                                0),
                        "test")
                .secret()
                .text();
        ApiKeys.NewKey revoked = keys.create(keys.nextSecret(), terms, "test");
        assertThat(call("/api/v1/lists", expired).getStatus()).isEqualTo(200);

        time.advance(Duration.ofSeconds(2));
        keys.revoke(revoked.key().id());

        assertThat(call("/api/v1/lists", expired).getStatus()).isEqualTo(401);
        assertThat(call("/api/v1/lists", expired).getContentAsString()).contains("\"code\":\"key-expired\"");
        assertThat(call("/api/v1/lists", revoked.secret().text()).getContentAsString())
                .contains("\"code\":\"key-revoked\"");
    }

    @Test
    void metricsKeyReadsTheMetricsAndNothingElse() throws Exception {
        String key = keys.create(
                        keys.nextSecret(), ApiKey.Terms.of("prometheus", ApiKey.Scope.METRICS, Set.of()), "test")
                .secret()
                .text();

        assertThat(call("/actuator/prometheus", key).getStatus()).isEqualTo(200);
        for (String path : new String[] {
            "/api/v1/lists",
            "/api/v1/operations",
            "/api/SubscribeAPI",
            "/api/SubscribeAPI?emailAddress=a@b.cd&listName=news",
            "/api/v1/nowhere"
        }) {
            assertThat(call(path, key).getStatus()).as(path).isEqualTo(403);
        }
        assertThat(perform(
                                post("/api/v1/lists/news/subscriptions")
                                        .contentType(MediaType.APPLICATION_JSON)
                                        .content("{\"email\":\"ann@example.org\"}"),
                                key)
                        .getStatus())
                .isEqualTo(403);
        assertThat(call("/actuator/env", key).getStatus()).isNotEqualTo(200);
    }

    @Test
    void aLabelIsOneLineWithoutControlCharacters() throws Exception {
        browser.signIn().open("/keys/new").submit("/keys/new", Map.of("label", "bell\u0007", "scope", "METRICS"));

        assertThat(browser.errorAt("label")).contains("Enter a few words that say what the key is for.");
        assertThat(keys.all()).extracting(ApiKey::label).doesNotContain("bell\u0007");
    }

    @Test
    void everyAnswerToAKeyThatSubscribesSaysWhatIsLeftOfItsQuota() throws Exception {
        ApiKey.Terms terms = new ApiKey.Terms("shop", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("news")), null, 2);
        String key = keys.create(keys.nextSecret(), terms, "test").secret().text();

        MockHttpServletResponse first = call("/api/v1/lists", key);
        assertThat(first.getStatus()).isEqualTo(403);
        assertThat(first.getHeader("RateLimit-Policy")).isEqualTo("\"requests\";q=2;w=1");
        assertThat(first.getHeader("RateLimit")).isEqualTo("\"requests\";r=1;t=1");
        call("/api/v1/lists", key);
        MockHttpServletResponse third = call("/api/v1/lists", key);

        assertThat(third.getStatus()).isEqualTo(429);
        assertThat(third.getHeader("Retry-After")).isEqualTo("1");
        assertThat(third.getHeader("RateLimit")).isEqualTo("\"requests\";r=0;t=1");
        assertThat(third.getContentType()).isEqualTo("application/problem+json");
        assertThat(third.getContentAsString())
                .contains(
                        "https://iana.org/assignments/http-problem-types#quota-exceeded",
                        "\"violated-policies\":[\"requests\"]",
                        "\"code\":\"quota-exceeded\"");
        time.advance(Duration.ofSeconds(1));
        assertThat(call("/api/v1/lists", key).getStatus()).isEqualTo(403);
    }

    @Test
    void keysThatMayDoEverythingHaveNoQuota() throws Exception {
        String key = keys.create(keys.nextSecret(), ApiKey.Terms.of("script", ApiKey.Scope.ADMIN, Set.of()), "test")
                .secret()
                .text();

        assertThat(call("/api/v1/lists", key).getHeader("RateLimit")).isNull();
    }

    @Test
    void quotaIsChosenOnThePage() throws Exception {
        browser.signIn().open("/keys/new");
        for (String wrong : new String[] {"0", "-1", "100001", "many", "1e3", "\u0660"}) {
            browser.submit("/keys/new", Map.of("label", "x", "scope", "SUBSCRIBE", "requestsPerSecond", wrong));
            assertThat(browser.errorAt("requestsPerSecond")).as(wrong).contains("whole number from 1 to 100,000");
        }
        browser.open("/keys/new")
                .submit("/keys/new", Map.of("label", "no quota", "scope", "ADMIN", "requestsPerSecond", "5"));

        assertThat(keys.all())
                .filteredOn(key -> key.label().equals("no quota"))
                .allSatisfy(key -> assertThat(key.requestsPerSecond()).isZero());
    }

    @Test
    void keyThatSubscribesReadsNoMetrics() throws Exception {
        String key = keys.create(
                        keys.nextSecret(),
                        ApiKey.Terms.of("shop", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("news"))),
                        "test")
                .secret()
                .text();

        assertThat(call("/actuator/prometheus", key).getStatus()).isEqualTo(403);
    }

    @Test
    void pageCreatesAKeyThatWorksToTheEndOfItsLastDay() throws Exception {
        String today = time.instant().atZone(ZoneOffset.UTC).toLocalDate().toString();
        browser.signIn()
                .open("/keys/new")
                .submit("/keys/new", Map.of("label", "until tonight", "scope", "METRICS", "lastDay", today));
        String secret = browser.page().select("#secret").text();
        assertThat(browser.text()).contains("It works until", "/actuator/prometheus");
        assertThat(browser.page().select("[data-copy]").attr("data-copied"))
                .as("what the button says when it has copied the key")
                .isEqualTo("Copied");
        assertThat(call("/actuator/prometheus", secret).getStatus()).isEqualTo(200);

        time.advance(Duration.ofDays(1));

        assertThat(call("/actuator/prometheus", secret).getStatus()).isEqualTo(401);
        assertThat(browser.signIn().open("/keys").text()).contains("until tonight", "read metrics", "Expired");
    }

    @Test
    void aDoubleClickCreatesOneKeyAndShowsItsSecret() throws Exception {
        Map<String, String> typed = Map.of("label", "clicked twice", "scope", "METRICS");
        browser.signIn().open("/keys/new").submitTwice("/keys/new", typed, Map.of());

        assertThat(keys.all())
                .filteredOn(key -> key.label().equals("clicked twice"))
                .hasSize(1);
        String secret = browser.page().select("#secret").text();
        assertThat(call("/actuator/prometheus", secret).getStatus()).isEqualTo(200);
    }

    /** The secret is derived from a value in the form. */
    @Test
    void noCacheKeepsTheFormOrTheSecret() throws Exception {
        assertThat(browser.signIn().open("/keys/new").header("Cache-Control")).contains("no-store");
        browser.submit("/keys/new", Map.of("label", "not kept", "scope", "METRICS"));
        assertThat(browser.header("Cache-Control")).contains("no-store");
    }

    @Test
    void theSameFormWithOtherValuesCreatesAnotherKey() throws Exception {
        String once =
                browser.signIn().open("/keys/new").page().select("[name=_once]").val();
        for (String label : new String[] {"this one", "that one"}) {
            browser.open("/keys/new").submit("/keys/new", Map.of("_once", once, "label", label, "scope", "METRICS"));
        }

        assertThat(keys.all()).extracting(ApiKey::label).contains("this one", "that one");
    }

    @Test
    void aFormThatIsSentAgainDoesNotBringARevokedKeyBack() throws Exception {
        String once =
                browser.signIn().open("/keys/new").page().select("[name=_once]").val();
        Map<String, String> typed = Map.of("_once", once, "label", "short-lived", "scope", "METRICS");
        browser.submit("/keys/new", typed);
        String secret = browser.page().select("#secret").text();
        keys.revoke(new Secret(secret).hash());

        browser.open("/keys/new").submit("/keys/new", typed);

        assertThat(browser.text()).contains("Nothing was created now");
        assertThat(call("/actuator/prometheus", secret).getStatus()).isEqualTo(401);
    }

    @Test
    void lastDayThatIsOverOrNoneIsRefusedAtItsField() throws Exception {
        browser.signIn();
        for (String day : new String[] {"2001-01-01", "tomorrow", "+99999-01-01", "2026-02-30"}) {
            browser.open("/keys/new")
                    .submit("/keys/new", Map.of("label", "wrong day", "scope", "ADMIN", "lastDay", day));
            assertThat(browser.errorAt("lastDay")).as(day).contains("Choose today or a later day");
        }
        assertThat(keys.all()).noneMatch(key -> key.label().equals("wrong day"));
    }

    private MockHttpServletResponse call(String path, String key) throws Exception {
        return perform(get(path), key);
    }

    private MockHttpServletResponse perform(MockHttpServletRequestBuilder request, String key) throws Exception {
        return mvc.perform(request.header("Authorization", "Bearer " + key))
                .andReturn()
                .getResponse();
    }
}
