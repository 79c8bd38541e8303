package org.azuremail.web.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Requests every page and every call without signing in. */
@PageTest
class SignedOutTest {

    private static final Set<String> FOR_EVERYBODY = Set.of(
            "/sign-in",
            "/setup",
            "/welcome",
            "/subscribe",
            "/unsubscribe",
            "/preferences",
            "/logo/1",
            "/image/1",
            "/look/1}.css",
            "/error");

    private record Place(HttpMethod method, String path) {}

    @Autowired
    MockMvc mvc;

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    RequestMappingHandlerMapping mappings;

    @Test
    void e26_everyAdminPageLeadsToTheSignIn() throws Exception {
        List<Place> pages = places().filter(place -> place.method() == HttpMethod.GET && !isApi(place))
                .filter(place -> !FOR_EVERYBODY.contains(place.path()))
                .filter(place -> !place.path().matches("/(logo|image|look)/.*"))
                .toList();
        assertThat(pages).hasSizeGreaterThan(25);

        for (Place page : pages) {
            MockHttpServletResponse answer = ask(page);
            assertThat(answer.getStatus()).as(page.path()).isEqualTo(303);
            assertThat(answer.getHeader("Location")).as(page.path()).startsWith("/sign-in");
            assertThat(answer.getContentAsString()).as(page.path()).isEmpty();
        }
    }

    @Test
    void e26_nothingIsPostedWithoutASignIn() throws Exception {
        List<Place> posts = places().filter(place -> place.method() == HttpMethod.POST && !isApi(place))
                .filter(place -> !FOR_EVERYBODY.contains(place.path()))
                .toList();
        assertThat(posts).hasSizeGreaterThan(15);

        for (Place post : posts) {
            MockHttpServletResponse answer = ask(post);
            assertThat(answer.getStatus()).as(post.path()).isIn(303, 403);
            if (answer.getStatus() == 303) {
                assertThat(answer.getHeader("Location")).as(post.path()).startsWith("/sign-in");
            }
        }
    }

    @Test
    void e26_everyCallWithoutAKeyIsRefused() throws Exception {
        List<Place> calls = places().filter(SignedOutTest::isApi).toList();
        assertThat(calls).hasSizeGreaterThan(12);

        for (Place call : calls) {
            MockHttpServletResponse answer = ask(call);
            assertThat(answer.getStatus()).as(call.toString()).isEqualTo(401);
            assertThat(answer.getContentType()).as(call.toString()).startsWith("application/problem+json");
        }
    }

    private Stream<Place> places() {
        return mappings.getHandlerMethods().keySet().stream().flatMap(mapping -> mapping.getPatternValues().stream()
                .flatMap(path -> methods(mapping.getMethodsCondition().getMethods())
                        .map(method ->
                                new Place(method, path.replace("/**", "/x").replaceAll("\\{[^}]+}", "1")))));
    }

    private static Stream<HttpMethod> methods(Set<RequestMethod> methods) {
        return methods.isEmpty()
                ? Stream.of(HttpMethod.GET, HttpMethod.POST)
                : methods.stream().map(RequestMethod::asHttpMethod);
    }

    private static boolean isApi(Place place) {
        return place.path().equals("/api") || place.path().startsWith("/api/");
    }

    private MockHttpServletResponse ask(Place place) throws Exception {
        return mvc.perform(request(place.method(), place.path())).andReturn().getResponse();
    }
}
