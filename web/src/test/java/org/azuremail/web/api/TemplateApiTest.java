package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

@PageTest
class TemplateApiTest {

    private static final String ALL = "/api/v1/lists/api_words/templates";
    private static final String WELCOME = ALL + "/welcome.html";

    @Autowired
    MockMvc mvc;

    @Test
    void aTemplateIsReadCustomisedAndRevertedUnderItsVersion() throws Exception {
        ApiClient api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"api_words\", \"fromEmail\": \"news@example.org\"}");
        assertThat(api.get(ALL).<List<String>>json("$.items[*].state")).containsOnly("shared");
        String shared = api.get(WELCOME).header("ETag");
        assertThat(api.<String>json("$.text")).contains("Welcome!");
        assertThat(notModified(shared)).isEqualTo(304);

        put(api.ifMatch(shared), "<h1>Hi</h1>");
        put(api.ifMatch(shared), "<h1>Late</h1>");
        assertThat(api.get(WELCOME).<String>json("$.text")).isEqualTo("<h1>Hi</h1>");
        assertThat(api.<String>json("$.state")).isEqualTo("customised");
        assertThat(put(api.ifMatch(shared), "<h1>Late</h1>").status()).isEqualTo(412);
        assertThat(put(api, "<p>\n{{nothing}}").status()).isEqualTo(400);
        assertThat(api.<String>json("$.errors[0].message")).isEqualTo("Line 2: There is no field “nothing” here.");

        String own = api.get(WELCOME).header("ETag");
        assertThat(notModified(own)).isEqualTo(304);
        assertThat(api.ifMatch(shared).delete(WELCOME).status()).isEqualTo(412);
        assertThat(api.ifMatch(own).delete(WELCOME).status()).isEqualTo(200);
        assertThat(api.delete(WELCOME).<String>json("$.state")).isEqualTo("shared");
        assertThat(api.get(WELCOME).header("ETag")).isEqualTo(shared);
        assertThat(api.get(ALL + "/nothing.html").status()).isEqualTo(404);
        assertThat(api.send(HttpMethod.PUT, WELCOME, "application/json", "{}").status())
                .isEqualTo(400);
    }

    private static ApiClient put(ApiClient api, String text) throws Exception {
        return api.send(
                HttpMethod.PUT, WELCOME, "application/json", "{\"text\": \"" + text.replace("\n", "\\n") + "\"}");
    }

    private int notModified(String tag) throws Exception {
        return mvc.perform(MockMvcRequestBuilders.get(WELCOME)
                        .header("Authorization", "Bearer " + org.azuremail.web.PageTestConfiguration.API_KEY)
                        .header("If-None-Match", tag))
                .andReturn()
                .getResponse()
                .getStatus();
    }
}
