package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Checks that calls preview, test and send a draft. */
@PageTest
class MessageDraftApiTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    TestMails tests;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    private ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"by_call\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void aMessageIsReadPreviewedTestedAndSentFromADraft() throws Exception {
        api.post(
                "/api/v1/messages",
                "{\"list\": \"by_call\", \"subject\": \"Hi {{name|you}}\", \"html\": \"<p>Hello</p>\", \"draft\": true}");
        assertThat(api.<Boolean>json("$.draft")).as(api.text()).isTrue();
        String path = "/api/v1/messages/" + api.<String>json("$.messageRef");

        assertThat(api.get(path + "/content").<String>json("$.subject")).isEqualTo("Hi {{name|you}}");
        assertThat(api.get(path + "/preview?known=false").<String>json("$.subject"))
                .isEqualTo("Hi you");
        assertThat(api.get(path + "/waiting").<List<?>>json("$.items")).isEmpty();
        assertThat(api.post(path + "/tests", "{\"email\": \"nonsense\"}").status())
                .isEqualTo(400);
        assertThat(api.post(path + "/tests", "{\"email\": \"me@example.org\"}").status())
                .isEqualTo(202);
        assertThat(api.<String>json("$.state")).as("another process sends it").isEqualTo("queued");
        String test = api.header("Location");
        assertThat(api.get(test).<String>json("$.email")).isEqualTo("me@example.org");
        assertThat(api.get(path + "/tests").<List<?>>json("$.items")).hasSize(1);
        assertThat(api.get(path + "/tests/nowhere").status()).isEqualTo(404);

        assertThat(api.post(path + "/send", "").<Boolean>json("$.paused")).isFalse();
        assertThat(api.post(path + "/send", "").<String>json("$.code")).isEqualTo("message-state-forbids");
    }

    @Test
    void aQueuedTestMailIsNotCalledHandedOverAndItsRefusalIsShown() throws Exception {
        api.post(
                "/api/v1/messages",
                "{\"list\": \"by_call\", \"subject\": \"Queued\", \"html\": \"<p>x</p>\", \"draft\": true}");
        String ref = api.json("$.messageRef");
        TestBrowser browser = browsers.getObject().signIn();
        browser.open("/messages/" + ref + "/preview")
                .submit("/messages/" + ref + "/test", Map.of("email", "me@example.org"));
        assertThat(browser.text())
                .contains("The test email is queued", "Queued")
                .doesNotContain("was handed over");
        assertThat(browser.page().select("#tests").attr("hx-trigger")).isEqualTo("every 2s");

        MessageRef message = MessageRef.parse(ref).orElseThrow();
        String id = tests.newest(message, 1).get(0).id();
        tests.note(message, id, new TestMails.Result(TestMails.State.QUEUED, Reason.ofText("the limit is reached")));
        assertThat(browser.open("/messages/" + ref + "/preview").text()).contains("Queued", "the limit is reached");
        tests.note(message, id, new TestMails.Result(TestMails.State.REFUSED, Reason.ofText("550 no such user")));
        tests.note(message, id, new TestMails.Result(TestMails.State.HANDED_OVER, Reason.ofText("late")));

        assertThat(browser.open("/messages/" + ref + "/preview").text()).contains("Refused", "550 no such user");
        assertThat(browser.page().select("#tests").attr("hx-trigger")).isEmpty();
        assertThat(api.get("/api/v1/messages/" + ref + "/tests/" + id).<String>json("$.state"))
                .isEqualTo("refused");
    }
}
