package org.azuremail.web.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import jakarta.servlet.http.Cookie;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

@PageTest
class SecurityTest {

    private static final byte[] LARGE = new byte[65 * 1024];

    @Autowired
    MockMvc mvc;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ApiKeys keys;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/lists",
                "/lists/new",
                "/lists/contoso1",
                "/subscribers",
                "/subscribers/export?list=contoso1",
                "/messages",
                "/messages/1",
                "/messages/1/preview.html",
                "/sent",
                "/outbox",
                "/outbox/x/raw",
                "/dead-letters",
                "/events",
                "/events/one",
                "/keys",
                "/accounts",
                "/account",
                "/settings",
                "/nowhere"
            })
    void e26_pageAsksWhoIsNotSignedInToSignIn(String path) throws Exception {
        MockHttpServletResponse answer = mvc.perform(get(path)).andReturn().getResponse();

        assertThat(answer.getStatus()).isEqualTo(303);
        assertThat(answer.getHeader("Location")).startsWith("/sign-in");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lists/new",
                "/lists/contoso1/delete",
                "/lists/samples",
                "/subscribers/delete",
                "/messages/1/edit",
                "/messages/preview",
                "/messages/1/cancel",
                "/dead-letters/delete",
                "/keys/new",
                "/keys/revoke",
                "/accounts/invite",
                "/accounts/remove",
                "/account/password",
                "/settings",
                "/operations/stop",
                "/operations/start",
                "/sign-out",
                "/sign-in",
                "/setup",
                "/welcome"
            })
    void formFromAnotherSiteIsRefused(String path) throws Exception {
        TestBrowser browser = browsers.getObject().signIn();

        browser.postForged(path, Map.of("_csrf", "guessed"));

        assertThat(browser.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api/v1/lists", "/api/v1/messages", "/api/SubscribeAPI?emailAddress=a@b.cd&listName=contoso1"})
    void e26_callWithoutKeyIsRefusedAsAProblem(String path) throws Exception {
        MockHttpServletResponse answer = mvc.perform(get(path)).andReturn().getResponse();

        assertThat(answer.getStatus()).isEqualTo(401);
        assertThat(answer.getContentType()).isEqualTo("application/problem+json");
        assertThat(answer.getHeader("WWW-Authenticate")).startsWith("Bearer");
        assertThat(answer.getContentAsString()).contains("\"status\":401", "Authorization: Bearer");
    }

    @Test
    void e26_callWithTheKeyWorks() throws Exception {
        assertThat(call(get("/api/v1/lists"), PageTestConfiguration.API_KEY).getStatus())
                .isEqualTo(200);
    }

    @Test
    void wrongKeyIsRefused() throws Exception {
        assertThat(call(get("/api/v1/lists"), PageTestConfiguration.API_KEY + "x")
                        .getStatus())
                .isEqualTo(401);
        assertThat(call(get("/api/v1/lists"), "").getStatus()).isEqualTo(401);
    }

    @Test
    void sessionIsNoKey() throws Exception {
        TestBrowser browser = browsers.getObject().signIn();

        assertThat(browser.openWithoutFollowing("/api/v1/lists").status()).isEqualTo(401);
    }

    @Test
    void keyIsNoSession() throws Exception {
        assertThat(call(get("/lists"), PageTestConfiguration.API_KEY).getStatus())
                .isEqualTo(303);
    }

    @Test
    void subscribeKeyMayDoNothingButSubscribeToItsLists() throws Exception {
        ListName own = new ListName("own_list");
        String key = keys.create(
                        keys.nextSecret(), ApiKey.Terms.of("test", ApiKey.Scope.SUBSCRIBE, Set.of(own)), "test")
                .secret()
                .text();

        assertThat(call(get("/api/v1/lists"), key).getStatus()).isEqualTo(403);
        assertThat(call(subscribe("foreign"), key).getStatus()).isEqualTo(403);
        assertThat(call(subscribe("own_list"), key).getStatus()).isEqualTo(404);
        assertThat(call(get("/api/SubscribeAPI?emailAddress=a@b.cd&listName=foreign"), key)
                        .getStatus())
                .isEqualTo(403);
        assertThat(call(get("/api/SubscribeAPI?emailAddress=a@b.cd&listName=own_list"), key)
                        .getStatus())
                .isEqualTo(400);
        assertThat(call(get("/api/SubscribeAPI?emailAddress=a@b.cd&listName=own_list&listName=foreign"), key)
                        .getStatus())
                .isEqualTo(400);
    }

    @Test
    void revokedKeyIsRefusedAtOnce() throws Exception {
        ApiKeys.NewKey made =
                keys.create(keys.nextSecret(), ApiKey.Terms.of("test", ApiKey.Scope.ADMIN, Set.of()), "test");
        assertThat(call(get("/api/v1/lists"), made.secret().text()).getStatus()).isEqualTo(200);

        browsers.getObject().signIn().open("/keys/revoke?id=" + made.key().id()).submit("/keys/revoke", Map.of());

        assertThat(call(get("/api/v1/lists"), made.secret().text()).getStatus()).isEqualTo(401);
    }

    @Test
    void pageForbidsEverythingThatIsNotOurs() throws Exception {
        MockHttpServletResponse answer =
                mvc.perform(get("/sign-in")).andReturn().getResponse();

        assertThat(answer.getHeader("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.getHeader("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.getHeader("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.getHeader("Cache-Control")).contains("no-store");
        assertThat(answer.getHeader("Strict-Transport-Security")).isNull();
        assertThat(answer.getContentAsString()).doesNotContain(" style=", "<style", "onclick", "<script>");
    }

    @Test
    void cookieIsHiddenFromScriptsAndKeptFromOtherSites() throws Exception {
        Cookie cookie = browsers.getObject().signIn().cookies().get("azuremail");

        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.getAttribute("SameSite")).isEqualTo("Lax");
        assertThat(cookie.getPath()).isEqualTo("/");
        assertThat(cookie.getMaxAge()).isEqualTo(-1);
    }

    @Test
    void largeBodyOfAStrangerIsNotEvenRead() throws Exception {
        for (String path : List.of("/messages/1/edit", "/subscribers/import", "/sign-in", "/unsubscribe")) {
            var upload = mvc.perform(post(path)
                            .contentType("multipart/form-data; boundary=x")
                            .content(LARGE))
                    .andReturn();
            assertThat(upload.getResponse().getStatus()).as(path).isEqualTo(413);
            assertThat(upload.getRequest().getInputStream().readAllBytes())
                    .as(path)
                    .hasSize(LARGE.length);
        }
    }

    @Test
    void nobodyMakesAServletSession() throws Exception {
        var request = mvc.perform(get("/sign-in")).andReturn().getRequest();

        assertThat(request.getSession(false)).isNull();
    }

    @Test
    void healthIsOpenAndTheRestOfTheActuatorClosed() throws Exception {
        assertThat(status(get("/actuator/health"))).isEqualTo(200);
        assertThat(status(get("/actuator/health/readiness"))).isEqualTo(200);
        for (String path : List.of("/actuator", "/actuator/env", "/actuator/heapdump", "/actuator/metrics")) {
            assertThat(status(get(path))).as(path).isIn(303, 403);
            assertThat(browsers.getObject().signIn().openWithoutFollowing(path).status())
                    .as(path + " signed in")
                    .isEqualTo(403);
        }
    }

    @Test
    void scriptOfAPageThatIsSignedOutGoesToTheSignIn() throws Exception {
        MockHttpServletResponse answer = mvc.perform(get("/messages/1/progress").header("HX-Request", "true"))
                .andReturn()
                .getResponse();

        assertThat(answer.getStatus()).isEqualTo(401);
        assertThat(answer.getHeader("HX-Redirect")).isEqualTo("/sign-in");
    }

    private static MockHttpServletRequestBuilder subscribe(String list) {
        return post("/api/v1/lists/" + list + "/subscriptions")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"email\":\"ann@example.org\"}");
    }

    private MockHttpServletResponse call(MockHttpServletRequestBuilder request, String key) throws Exception {
        return mvc.perform(request.header("Authorization", "Bearer " + key))
                .andReturn()
                .getResponse();
    }

    private int status(MockHttpServletRequestBuilder request) throws Exception {
        return mvc.perform(request).andReturn().getResponse().getStatus();
    }
}
