package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Checks which addresses have a method, and which have none. */
@PageTest
class PrefixHandlerMappingTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    RequestMappingHandlerMapping mappings;

    @Test
    void theServiceLooksAtNearbyMethodsOnly() {
        assertThat(mappings).isInstanceOf(PrefixHandlerMapping.class);
    }

    /** This also holds beside a method for all other addresses, such as the API's. */
    @ParameterizedTest
    @CsvSource({"/near/one, toString", "/near/one/two, notify"})
    void methodsElsewhereAreNotAsked(String address, String answers) throws Exception {
        PrefixHandlerMapping nearby = new PrefixHandlerMapping();
        nearby.setApplicationContext(new StaticWebApplicationContext());
        Object existing = new Object();
        register(nearby, existing, "toString", "/near/{name}");
        register(nearby, existing, "hashCode", "/far/{name}");
        register(nearby, existing, "notify", "/near", "/near/**");
        nearby.afterPropertiesSet();
        AtomicInteger asked = new AtomicInteger();
        MockHttpServletRequest request = new MockHttpServletRequest("GET", address) {
            @Override
            public String getParameter(String name) {
                asked.incrementAndGet();
                return super.getParameter(name);
            }
        };
        request.setParameter("far", "yes");
        ServletRequestPathUtils.parseAndCache(request);

        HandlerMethod answering = nearby.lookupHandlerMethod(address, request);

        assertThat(answering).isNotNull();
        assertThat(answering.getMethod().getName()).isEqualTo(answers);
        assertThat(asked).as("questions of the method elsewhere").hasValue(0);
    }

    private static void register(PrefixHandlerMapping mappings, Object handler, String method, String... patterns)
            throws NoSuchMethodException {
        RequestMappingInfo.Builder info = RequestMappingInfo.paths(patterns);
        if (patterns[0].startsWith("/far")) {
            info.params("far=yes");
        }
        info.options(mappings.getBuilderConfiguration());
        mappings.registerMapping(info.build(), handler, Object.class.getMethod(method));
    }

    /** The method answers in its own words that the list does not exist. */
    @ParameterizedTest
    @CsvSource({
        "GET,   /api/v1/lists/nowhere,                 404, There is no list nowhere.",
        "GET,   /api/v1/list%73/nowhere,               404, There is no list nowhere.",
        "GET,   /api/v1/lists/nowhere/subscriptions,   404, There is no list nowhere.",
        "GET,   /api/v1/lists/no%77here/subscriptions, 404, There is no list nowhere.",
        "PUT,   /api/v1/lists/nowhere,                 405, ''",
        "GET,   /api/v1/listsnowhere,                  404, ''",
        "GET,   /api/v2/lists/nowhere,                 404, ''"
    })
    void anAddressLeadsWhereItSays(String verb, String address, int status, String said) throws Exception {
        var answer = mvc.perform(MockMvcRequestBuilders.request(HttpMethod.valueOf(verb), URI.create(address))
                        .header("Authorization", "Bearer " + PageTestConfiguration.API_KEY))
                .andReturn()
                .getResponse();

        assertThat(answer.getStatus()).isEqualTo(status);
        assertThat(answer.getContentAsString()).contains(said);
    }
}
