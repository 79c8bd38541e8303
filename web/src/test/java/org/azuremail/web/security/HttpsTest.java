package org.azuremail.web.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import jakarta.servlet.http.Cookie;
import java.util.Map;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
@TestPropertySource(properties = "azuremail.public-url=https://lists.example.org")
class HttpsTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    TestBrowser browser;

    @Test
    void cookiesAreBoundToTheHostAndToHttps() throws Exception {
        Map<String, Cookie> cookies = browser.signIn().open("/account").cookies();

        assertThat(cookies).containsOnlyKeys("__Host-azuremail", "__Host-azuremail-device", "__Host-azuremail-form");
        assertThat(cookies.values()).allSatisfy(cookie -> {
            assertThat(cookie.getSecure()).isTrue();
            assertThat(cookie.isHttpOnly()).isTrue();
            assertThat(cookie.getPath()).isEqualTo("/");
            assertThat(cookie.getDomain()).isNull();
        });
    }

    @Test
    void browsersMustStayWithHttps() throws Exception {
        MockHttpServletResponse answer =
                mvc.perform(get("/sign-in")).andReturn().getResponse();

        assertThat(answer.getHeader("Strict-Transport-Security")).contains("max-age=31536000");
    }
}
