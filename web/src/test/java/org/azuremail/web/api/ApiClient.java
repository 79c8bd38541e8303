package org.azuremail.web.api;

import com.jayway.jsonpath.JsonPath;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.azuremail.web.PageTestConfiguration;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** A program that calls the API with a key and without cookies. */
final class ApiClient {

    private final MockMvc mvc;
    private String key = PageTestConfiguration.API_KEY;
    private String ifMatch = "";
    private @org.jspecify.annotations.Nullable String idempotencyKey;
    private MockHttpServletResponse answer = new MockHttpServletResponse();

    ApiClient(MockMvc mvc) {
        this.mvc = mvc;
    }

    ApiClient withKey(String other) {
        ApiClient client = new ApiClient(mvc);
        client.key = other;
        return client;
    }

    /** Returns a client with the same key, whose calls have an If-Match header. */
    ApiClient ifMatch(String tags) {
        ApiClient client = withKey(key);
        client.ifMatch = tags;
        return client;
    }

    /** Returns a client with the same key, whose calls have an Idempotency-Key. */
    ApiClient named(String name) {
        ApiClient client = withKey(key);
        client.idempotencyKey = name;
        return client;
    }

    ApiClient get(String path) throws Exception {
        return send(HttpMethod.GET, path, null, "");
    }

    ApiClient delete(String path) throws Exception {
        return send(HttpMethod.DELETE, path, null, "");
    }

    ApiClient post(String path, String json) throws Exception {
        return send(HttpMethod.POST, path, "application/json", json);
    }

    ApiClient put(String path, String json) throws Exception {
        return send(HttpMethod.PUT, path, "application/json", json);
    }

    ApiClient patch(String path, String json) throws Exception {
        return send(HttpMethod.PATCH, path, "application/json", json);
    }

    ApiClient postCsv(String path, String csv) throws Exception {
        return send(HttpMethod.POST, path, "text/csv", csv);
    }

    ApiClient send(HttpMethod method, String path, @org.jspecify.annotations.Nullable String type, String body)
            throws Exception {
        MockHttpServletRequestBuilder request = MockMvcRequestBuilders.request(method, URI.create(path));
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        if (!ifMatch.isEmpty()) {
            request.header("If-Match", ifMatch);
        }
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        if (type != null) {
            request.contentType(type).content(body.getBytes(StandardCharsets.UTF_8));
        }
        MvcResult result = mvc.perform(request).andReturn();
        if (result.getRequest().isAsyncStarted()) {
            result = mvc.perform(MockMvcRequestBuilders.asyncDispatch(result)).andReturn();
        }
        answer = result.getResponse();
        return this;
    }

    int status() {
        return answer.getStatus();
    }

    String header(String name) {
        return String.valueOf(answer.getHeader(name));
    }

    String text() throws Exception {
        return answer.getContentAsString(StandardCharsets.UTF_8);
    }

    <T> T json(String path) throws Exception {
        return JsonPath.read(text(), path);
    }
}
