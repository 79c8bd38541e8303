package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Tests the fields of a list by calls. */
@PageTest
class FieldApiTest {

    private static final String LIST = "/api/v1/lists/by_call";

    @Autowired
    MockMvc mvc;

    private ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"by_call\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void fieldsAreDefinedCheckedAndSearched() throws Exception {
        String fields = LIST + "/fields";
        String people = LIST + "/subscriptions";
        assertThat(api.put(fields + "/birthday", "{\"type\": \"month_day\", \"searchable\": true}")
                        .<String>json("$.indexedAt"))
                .isNotNull();
        api.put(fields + "/points", "{\"label\": \"Points\", \"type\": \"number\"}");
        assertThat(api.get(fields).<List<String>>json("$.items[*].name")).contains("name", "birthday", "points");
        assertThat(api.put(fields + "/email", "{\"type\": \"number\", \"options\": [\"a\"]}")
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
        assertThat(api.patch(people + "/fay@example.org", "{\"attributes\": {\"points\": \"\"}}")
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
        api.put(field, "{}");
        String person = "{\"email\": \"%s@example.org\", \"verified\": true, \"attributes\": {\"level\": \"%s\"}}";
        api.post(LIST + "/subscriptions", person.formatted("lee", "high"));
        api.post(LIST + "/subscriptions", person.formatted("lou", "7"));

        api.put(field, "{\"type\": \"number\"}");
        assertThat(api.status()).isEqualTo(409);
        assertThat(api.<String>json("$.code")).isEqualTo("values-unfit");
        assertThat(api.<String>json("$.detail")).contains("1 of 2", "lee@example.org");
        assertThat(api.get(LIST + "/fields").<List<String>>json("$.items[?(@.name == 'level')].type"))
                .containsExactly("text");

        assertThat(api.put(field + "?unfit=drop", "{\"type\": \"number\"}").status())
                .isEqualTo(400);
        assertThat(api.put(field + "?unfit=keep", "{\"type\": \"number\"}").status())
                .isEqualTo(200);
        assertThat(api.put(field, "{\"type\": \"text\"}").status())
                .as("everything is text")
                .isEqualTo(200);
    }

    /** An earlier count must not be used for values that were added or changed after it. */
    @Test
    void aFieldIsCheckedAgainAfterValuesWereCorrected() throws Exception {
        String field = LIST + "/fields/grade";
        api.put(field, "{}");
        String person = "{\"email\": \"gil@example.org\", \"verified\": true, \"attributes\": {\"grade\": \"high\"}}";
        api.post(LIST + "/subscriptions", person);
        assertThat(api.put(field, "{\"type\": \"number\"}").status()).isEqualTo(409);
        api.patch(LIST + "/subscriptions/gil@example.org", "{\"attributes\": {\"grade\": \"8\"}}");
        assertThat(api.put(field, "{\"type\": \"number\"}").status()).isEqualTo(200);
    }
}
