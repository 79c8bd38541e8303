package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.json.JsonMapper;

/** Checks that a call refuses a body that it does not accept, and names the field that is wrong. */
@PageTest
class StrictJsonTest {

    private static final String LISTS = "/api/v1/lists";

    @Autowired
    MockMvc mvc;

    @Autowired
    JsonMapper json;

    private ApiClient api;

    @BeforeEach
    void client() {
        api = new ApiClient(mvc);
    }

    @Test
    void bodiesBeyondTheLimitsOfTheSettingsAreNotReadToTheirEnd() {
        for (String body : List.of(
                "[".repeat(21) + "]".repeat(21),
                "{\"" + "n".repeat(1001) + "\": 1}",
                "[" + "1".repeat(101) + "]",
                "[" + "1,".repeat(20_000) + "1]")) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> json.readTree(new ByteArrayInputStream(bytes)))
                    .as(body.substring(0, 20))
                    .isInstanceOf(StreamConstraintsException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lists/strict/subscriptions | {'email': ['a'], 'name': 7}             | email      | text, in quotes",
                "lists/strict/subscriptions | {'email': 'a@example.org', 'name': true} | name       | text, in quotes",
                "lists/strict/subscriptions | {'email': 'a@example.org', 'name': 7}    | name       | text, in quotes",
                "lists/strict/subscriptions | {'email': 'a@example.org', 'name': 7.5}  | name       | text, in quotes",
                "lists/strict/subscriptions | {'email': 'a@example.org', 'attributes': []} | attributes | object of texts",
                "lists/strict/subscriptions | {'email': 'a@example.org', 'attributes': {'x': {}}} | attributes.x | text",
                "lists/strict/subscriptions | {'email': 'a@example.org', 'state': 'subscribed'} | state | Unknown field",
                "lists/strict/subscriptions | {'email': 'a@example.org', 'email': 'b@example.org'} | email | twice",
                "lists/strict/subscriptions | {'email': 'a@b.org', 'attributes': {'x': '1', 'x': '2'}} | attributes.x | twice",
                "messages                   | {'list': ['x'], 'subject': {}, 'html': 3} | list       | text, in quotes",
                "messages                   | {'list': 'x', 'subject': 'a\\ud83d'}  | subject    | half a character",
                "messages                   | {'list': 'x', 'html': '\\ude00<p>'}  | html       | half a character",
                "lists/strict/subscriptions | {'email': '\\ud800@example.org'}     | email      | half a character",
                "lists/strict/subscriptions | {'email': 'a@b.org', 'attributes': {'x': '\\udc00'}} | attributes.x | half a",
                "messages/1/send-again      | {'outcomes': 'failed'}                    | outcomes   | list",
                "messages/1/send-again      | {'outcomes': [7]}                         | outcomes   | text, in quotes",
                "messages/1/mark-sent       | {'all': 'true'}                           | all        | true or false",
                "messages/1/mark-sent       | {'all': 1}                                | all        | true or false",
                "messages/1/mark-sent       | {'all': ' '}                              | all        | true or false",
                "messages/1/mark-sent       | {'all': '\\u0000'}                         | all        | true or false",
                "lists                      | {'name': 'x', 'perMinute': ' '}           | perMinute  | whole number",
                "lists                      | {'name': 'x', 'perMinute': 1.5}           | perMinute  | whole number",
                "lists                      | {'name': 'x', 'perMinute': 1e0}           | perMinute  | whole number",
                "keys                       | {'label': 'x', 'requestsPerSecond': 7.0}  | requestsPerSecond | whole number",
                "lists                      | {'name': 'x', 'perMinute': 2147483648}    | perMinute  | out of range",
                "lists                      | {'perHour': -9223372036854775809, 'name': 'x'} | perHour | out of range",
                "keys                       | {'label': 'x', 'requestsPerSecond': 1000000000000} | requestsPerSecond | out of range",
                "watchers                   | {'kind': 'feed', 'settings': {'list': null}} | settings.list | text, in quotes",
                "watchers/test              | {'kind': 'feed', 'settings': {'list': null}} | settings.list | text, in quotes"
            })
    void aFieldThatIsNotOneOfTheCallOrOfItsTypeIsNamed(String call, String json, String field, String message)
            throws Exception {
        api.post("/api/v1/" + call, json.replace('\'', '"'));

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.header("Content-Type")).startsWith("application/problem+json");
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly(field);
        assertThat(api.<String>json("$.errors[0].message")).contains(message).doesNotContain("java");
        assertThat(api.<String>json("$.detail")).startsWith("Some fields");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "transports/strict          | {'kind': 'smtp', 'settings': {'host': null}} | settings.host",
                "watchers/strict            | {'settings': {'address': null}}              | settings.address",
                "lists/strict/fields/colour | {'type': 'choice', 'options': ['red', null]} | options"
            })
    void nothingInPlaceOfATextIsNamedWhereACallReplacesAll(String call, String json, String field) throws Exception {
        api.put("/api/v1/" + call, json.replace('\'', '"'));

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly(field);
        assertThat(api.<String>json("$.errors[0].message")).isEqualTo("This is a text, in quotes.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]                 | one JSON object",
                "null               | one JSON object",
                "''                 | there is none",
                "'  '               | one JSON object",
                "7                  | one JSON object",
                "\"text\"           | one JSON object",
                "{} {}              | one JSON object",
                "{\"name\": \"x\",} | not JSON: line 1, column",
                "{\"name\": \"x\"   | not JSON: line 1, column"
            })
    void aBodyThatIsNoObjectIsRefusedWithTheReason(String json, String detail) throws Exception {
        api.post(LISTS, json);

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<String>json("$.detail")).contains(detail);
    }

    @Test
    void aBrokenBodyIsRefusedWithTheLine() throws Exception {
        api.post(LISTS, "{\"name\": \"x\",\n \"fromEmail\": nobody}");

        assertThat(api.<String>json("$.detail")).startsWith("The body is not JSON: line 2, column ");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "Latin-1, fc",
        "an overlong slash, c0af",
        "a longer overlong slash, e080af",
        "a very overlong slash, f08080af",
        "half a surrogate pair, eda080",
        "two halves of a surrogate pair, eda0bdedb880",
        "a code point beyond Unicode, f4908080",
        "a character without its end, e282"
    })
    void aBodyInAnotherEncodingIsRefusedWithTheReason(String what, String hex) throws Exception {
        String before = "{\"name\":\"strict_bytes\",\"fromEmail\":\"a@example.org\",\"description\":\"";
        byte[] body = HexFormat.of().parseHex(hex(before) + hex + hex("\"}"));

        MockHttpServletResponse answer = post(body);

        assertThat(answer.getStatus()).isEqualTo(400);
        assertThat(answer.getContentAsString()).contains("The body is not UTF-8.");
    }

    @Test
    void aByteOrderMarkIsNoMistakeButAnotherEncodingIs() throws Exception {
        String json = "\ufeff{\"name\":\"strict_mark\",\"fromEmail\":\"a@example.org\",\"description\":\"\u00fc\"}";

        assertThat(post(json.getBytes(StandardCharsets.UTF_16LE)).getStatus()).isEqualTo(400);
        assertThat(post(json.substring(1).getBytes(StandardCharsets.UTF_16BE)).getStatus())
                .isEqualTo(400);
        MockHttpServletResponse created = post(json.getBytes(StandardCharsets.UTF_8));

        assertThat(created.getStatus()).isEqualTo(201);
        assertThat(created.getContentAsString(StandardCharsets.UTF_8)).contains("\"\u00fc\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"iso-8859-1", "us-ascii", "windows-1252", "utf-16", "utf-8"})
    void theCharsetOfTheTypeHasNoEffect(String charset) throws Exception {
        String name = "charset_" + charset.replace('-', '_');
        String json = "{\"name\":\"" + name + "\",\"fromEmail\":\"a@example.org\",\"description\":\"\u00fc\"}";
        MediaType type = MediaType.parseMediaType("application/json;charset=" + charset);

        MockHttpServletResponse refused = post(type, json.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(refused.getStatus()).isEqualTo(400);
        assertThat(refused.getContentAsString()).contains("The body is not UTF-8.");
        MockHttpServletResponse created = post(type, json.getBytes(StandardCharsets.UTF_8));
        assertThat(created.getStatus()).isEqualTo(201);
        assertThat(created.getContentAsString(StandardCharsets.UTF_8)).contains("\"\u00fc\"");
    }

    @Test
    void aBodyBeyondALimitIsNotCalledBroken() throws Exception {
        String addresses = "\"a@example.org\",".repeat(20_000);
        for (String body : List.of(
                "{\"emails\": [" + addresses + "\"b@example.org\"]}",
                "{\"" + "n".repeat(1001) + "\": 1}",
                "{\"emails\": " + "1".repeat(101) + "}")) {
            api.post("/api/v1/suppressions", body);

            assertThat(api.status()).isEqualTo(400);
            assertThat(api.<String>json("$.code")).isEqualTo("body-unreadable");
            assertThat(api.<String>json("$.detail")).contains("at most 20,000 names and values");
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private MockHttpServletResponse post(byte[] body) throws Exception {
        return post(MediaType.APPLICATION_JSON, body);
    }

    private MockHttpServletResponse post(MediaType type, byte[] body) throws Exception {
        return mvc.perform(MockMvcRequestBuilders.post(LISTS)
                        .header("Authorization", "Bearer " + PageTestConfiguration.API_KEY)
                        .contentType(type)
                        .content(body))
                .andReturn()
                .getResponse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/messages?limit=x                     | limit",
                "/api/v1/outbox?limit=1.5                     | limit",
                "/api/v1/lists/strict/subscriptions?limit=ten | limit"
            })
    void aParameterOfTheWrongKindIsNamed(String call, String field) throws Exception {
        api.get(call);

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly(field);
        assertThat(api.<String>json("$.errors[0].message")).isEqualTo("Use a whole number.");
    }

    @Test
    void aWordThatIsNeitherTrueNorFalseIsNamed() throws Exception {
        api.postCsv("/api/v1/lists/strict/imports?verified=maybe", "email\na@example.org\n");

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("verified");
        assertThat(api.<String>json("$.errors[0].message")).isEqualTo("Use true or false.");
    }
}
