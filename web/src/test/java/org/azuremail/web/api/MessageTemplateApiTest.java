package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.gallery.Gallery;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

/** Tests templates of messages by calls, and messages that use them. */
@PageTest
class MessageTemplateApiTest {

    private static final String ALL = "/api/v1/message-templates";
    private static final String MJML =
            "<mjml><mj-body><mj-section><mj-column><mj-text>%s{{content}}</mj-text></mj-column>"
                    + "</mj-section></mj-body></mjml>";

    @Autowired
    private MockMvc mvc;

    @Autowired
    private ListStore lists;

    private ApiClient api;

    @BeforeEach
    void aList() throws Exception {
        api = new ApiClient(mvc);
        api.post(
                "/api/v1/lists",
                "{\"name\": \"designed\", \"fromEmail\": \"news@example.org\", \"color\": \"#ffee00\"}");
    }

    @Test
    void aTemplateIsCreatedReplacedUsedAndDeleted() throws Exception {
        String own = "/api/v1/lists/designed/message-templates/autumn";
        assertThat(put(own, MJML.formatted("Old ")).status()).isEqualTo(201);
        assertThat(put(own, MJML.formatted("In {{color}}: ").replace("{{color}}", "autumn"))
                        .status())
                .isEqualTo(200);
        assertThat(put(own, MJML.formatted("\n{{nobody}}")).<List<String>>json("$.errors[*].message"))
                .singleElement()
                .asString()
                .contains("Line 2");
        assertThat(put(ALL + "/letter", MJML.formatted("")).status()).isEqualTo(400);

        api.post("/api/v1/messages", """
                {"list": "designed", "subject": "News", "markdown": "# Hi", "template": "autumn", "preview": "Soon",
                 "draft": true}
                """);
        String ref = api.json("$.messageRef");
        api.get("/api/v1/messages/" + ref + "/content");
        assertThat(api.<String>json("$.html")).contains("In autumn: <h1", "Hi</h1>");
        assertThat(api.<String>json("$.markdown")).isEqualTo("# Hi");
        assertThat(api.<String>json("$.template")).isEqualTo("autumn");
        assertThat(api.<String>json("$.preview")).isEqualTo("Soon");

        assertThat(api.delete(own).status()).isEqualTo(204);
        assertThat(api.get(own).status()).isEqualTo(404);
        assertThat(patch(ref, "{\"subject\": \"Other\"}").status())
                .as("as it was rendered")
                .isEqualTo(200);
        assertThat(patch(ref, "{\"markdown\": \"# Ho\"}").<List<String>>json("$.errors[*].field"))
                .containsExactly("template");
        assertThat(patch(ref, "{\"markdown\": \"# Ho\", \"template\": \"event\"}")
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/messages/" + ref + "/content").<String>json("$.html"))
                .contains("Ho</h1>", "#ffee00")
                .doesNotContain("In autumn");
    }

    @Test
    void htmlBesideMarkdownIsRefusedUnlessItIsWhatTheServiceRendered() throws Exception {
        String both = "{\"list\": \"designed\", \"subject\": \"News\", \"markdown\": \"# Hi\", \"html\": \"<p>Ho</p>\","
                + " \"draft\": true}";
        assertThat(api.post("/api/v1/messages", both).<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("html", "markdown");
        assertThat(api.status()).isEqualTo(400);

        api.post("/api/v1/messages", both.replace("<p>Ho</p>", ""));
        String ref = api.json("$.messageRef");
        String content = api.get("/api/v1/messages/" + ref + "/content").text();
        assertThat(patch(ref, "{\"markdown\": \"# He\", \"html\": \"<p>Ho</p>\"}")
                        .<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("html", "markdown");
        assertThat(patch(ref, content).status()).as("the same again").isEqualTo(200);
        assertThat(patch(ref, content.replace("# Hi", "# He")).status())
                .as("other Markdown beside the HTML of the answer")
                .isEqualTo(200);
        assertThat(api.get("/api/v1/messages/" + ref + "/content").<String>json("$.html"))
                .contains("He</h1>");
        String copy = content.replaceFirst("\\{", "{\"list\": \"designed\", \"draft\": true, ");
        assertThat(api.post("/api/v1/messages", copy).status()).isEqualTo(201);
    }

    @Test
    void aTemplateThatIsGoneIsNotCreatedByAChange() throws Exception {
        String path = ALL + "/gone";
        String tag = put(path, MJML.formatted("")).header("ETag");
        api.delete(path);
        String body = "{\"mjml\": \"" + MJML.formatted("") + "\"}";

        assertThat(api.ifMatch(tag).put(path, body).status()).isEqualTo(412);
        assertThat(api.ifMatch("*").put(path, body).status()).isEqualTo(412);
        assertThat(api.get(path).status()).isEqualTo(404);
    }

    @Test
    void aListWithAllItsTemplatesGetsNoOther() throws Exception {
        api.post("/api/v1/lists", "{\"name\": \"full\", \"fromEmail\": \"news@example.org\"}");
        for (int number = 0; number < Gallery.MAX; number++) {
            assertThat(put("/api/v1/lists/full/message-templates/" + number, MJML.formatted(""))
                            .status())
                    .isEqualTo(201);
        }

        assertThat(put("/api/v1/lists/full/message-templates/more", MJML.formatted(""))
                        .status())
                .isEqualTo(409);
        assertThat(api.<String>json("$.code")).isEqualTo("state-forbids");
    }

    @Test
    void aListThatIsBeingDeletedGetsNoTemplate() throws Exception {
        lists.markDeleting(new ListName("designed"));

        assertThat(put("/api/v1/lists/designed/message-templates/late", MJML.formatted(""))
                        .status())
                .isEqualTo(404);
        lists.remove(new ListName("designed"));
        aList();
        assertThat(api.get("/api/v1/lists/designed/message-templates/late").status())
                .isEqualTo(404);
    }

    @Test
    void htmlInATemplateIsOnlyTheContent() throws Exception {
        String message = "{\"list\": \"designed\", \"subject\": \"News\", \"html\": \"%s\", \"template\": \"letter\"}";

        assertThat(api.post("/api/v1/messages", message.formatted("<html><body>x</body></html>"))
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("html");
        api.post("/api/v1/messages", message.formatted("<p>{{name}}</p>"));
        assertThat(api.status()).isEqualTo(201);
    }

    @Test
    void shippedTemplatesAreListedAndStay() throws Exception {
        assertThat(api.get(ALL).<List<String>>json("$.items[?(@.shipped)].name"))
                .containsExactly("letter", "newsletter", "announcement", "event");
        assertThat(api.get(ALL + "/event").<String>json("$.mjml")).contains("{{content}}");
        assertThat(api.delete(ALL + "/event").status()).isEqualTo(404);
    }

    private ApiClient put(String path, String mjml) throws Exception {
        String body = "{\"mjml\": \"" + mjml.replace("\n", "\\n") + "\"}";
        return api.send(HttpMethod.PUT, path, "application/json", body);
    }

    private ApiClient patch(String ref, String body) throws Exception {
        return api.send(HttpMethod.PATCH, "/api/v1/messages/" + ref, "application/json", body);
    }
}
