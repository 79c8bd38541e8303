package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

/** Tests greetings by calls. */
@PageTest
class GreetingApiTest {

    @Autowired
    MockMvc mvc;

    @Test
    void callsDoWhatThePagesDo() throws Exception {
        ApiClient api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"api_greeted\", \"fromEmail\": \"a@example.org\"}");
        api.post("/api/v1/messages", """
                {"list": "api_greeted", "subject": "Welcome", "html": "<p>Hello</p>", "draft": true}
                """);
        String draft = api.json("$.messageRef");
        String body = """
                {"name": "Welcome", "list": "api_greeted", "occasion": "welcome", "time": "08:00", "message": "%s"}
                """.formatted(draft);
        assertThat(api.post("/api/v1/greetings", body).status()).isEqualTo(201);
        String path = "/api/v1/greetings/" + api.<String>json("$.id");
        assertThat(api.send(HttpMethod.PUT, path, "application/json", body.replace("08:00", "09:15"))
                        .status())
                .isEqualTo(200);
        assertThat(api.<String>json("$.time")).isEqualTo("09:15");
        assertThat(api.post(path + "/pause", "").status()).isEqualTo(200);
        assertThat(api.<Boolean>json("$.paused")).isTrue();
        assertThat(api.post(path + "/resume", "").status()).isEqualTo(200);
        assertThat(api.<String>json("$.next")).isNotEmpty();
        assertThat(api.get("/api/v1/greetings").text()).contains("\"Welcome\"");
        assertThat(api.post("/api/v1/greetings", body.replace("welcome", "whenever"))
                        .status())
                .isEqualTo(400);
        assertThat(api.delete("/api/v1/messages/" + draft).status()).isEqualTo(409);
        assertThat(api.text()).contains("The greeting Welcome sends this message.");
        assertThat(api.delete(path).status()).isEqualTo(204);
        assertThat(api.get(path).status()).isEqualTo(404);
    }
}
