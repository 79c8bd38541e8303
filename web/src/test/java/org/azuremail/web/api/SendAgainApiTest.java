package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.Outcome;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Tests the calls that send a message to recipients whom it missed, or mark them as Sent. */
@PageTest
class SendAgainApiTest {

    private static final Map<String, Outcome> OUTCOMES = Map.of(
            "ann@example.org", Outcome.SENT,
            "bob@example.org", Outcome.FAILED,
            "cleo@example.org", Outcome.UNKNOWN,
            "dan@example.org", Outcome.UNKNOWN,
            "eve@example.org", Outcome.SKIPPED);

    @Autowired
    MockMvc mvc;

    @Autowired
    EndedMessage ended;

    @Autowired
    Subscriptions subscriptions;

    private ApiClient api;

    @BeforeEach
    void client() {
        api = new ApiClient(mvc);
    }

    @Test
    void unknownOnesAreMarkedAsSentOneByOneAndTogether() throws Exception {
        String path = path(ended.completed("api_mark", OUTCOMES));

        assertThat(api.post(path + "/mark-sent", "{\"email\": \"cleo@example.org\"}")
                        .<Integer>json("$.marked"))
                .isEqualTo(1);
        assertThat(api.post(path + "/mark-sent", "{\"email\": \"bob@example.org\"}")
                        .status())
                .isEqualTo(409);
        assertThat(api.post(path + "/mark-sent", "{}").status()).isEqualTo(400);
        assertThat(api.post(path + "/mark-sent", "{\"all\": true}").<Integer>json("$.marked"))
                .isEqualTo(1);
        assertThat(api.get(path).<Integer>json("$.sent")).isEqualTo(3);
        assertThat(api.<Integer>json("$.unknown")).isZero();
    }

    @Test
    void theMissingAreSentAgainByOutcomeOrAddress() throws Exception {
        String path = path(ended.completed("api_again", OUTCOMES));

        assertThat(api.post(path + "/send-again", "{}").status()).isEqualTo(400);
        assertThat(api.post(path + "/send-again", "{\"outcomes\": [\"sent\"]}").status())
                .isEqualTo(400);
        assertThat(api.post(path + "/send-again", "{\"outcomes\": [\"failed\"]}")
                        .status())
                .isEqualTo(202);
        assertThat(api.<String>json("$.state")).isEqualTo("processing");
        assertThat(api.get(path + "/recipients/bob@example.org").<String>json("$.verdict"))
                .isEqualTo("waiting");
        assertThat(again(path, "dan@example.org")).isEqualTo(202);
        assertThat(api.<Integer>json("$.waiting")).isEqualTo(2);
    }

    @Test
    void aRecipientWhoGotItDoesNotGetItAgainAndTheMessageStaysCompleted() throws Exception {
        Message message = ended.completed("api_not_missed", OUTCOMES);
        String path = path(message);

        assertThat(again(path, "nobody@example.org")).isEqualTo(404);
        assertThat(again(path, "ann@example.org")).isEqualTo(409);
        assertThat(api.<String>json("$.detail")).contains("has got it already");
        assertThat(again(path, "eve@example.org")).isEqualTo(409);
        assertThat(api.get(path).<String>json("$.state")).isEqualTo("completed");
        assertThat(api.<String>json("$.completedAt")).isEqualTo(String.valueOf(message.completedAt()));
    }

    @Test
    void outcomesThatNobodyHasReopenNothing() throws Exception {
        String path = path(ended.completed("api_no_failed", Map.of("ann@example.org", Outcome.SENT)));

        assertThat(api.post(path + "/send-again", "{\"outcomes\": [\"failed\", \"unknown\"]}")
                        .status())
                .isEqualTo(409);
        assertThat(api.<String>json("$.detail")).isEqualTo("No recipient is unknown or failed. Nothing was done.");
        assertThat(api.get(path).<String>json("$.state")).isEqualTo("completed");
    }

    @Test
    void recipientsWhoGetItAgainCannotBeQueuedTwice() throws Exception {
        String path = path(ended.completed("api_asked_twice", OUTCOMES));

        assertThat(again(path, "bob@example.org")).as(api.text()).isEqualTo(202);
        assertThat(again(path, "bob@example.org")).isEqualTo(409);
        assertThat(api.<String>json("$.detail")).contains("waits for it already");
        assertThat(api.post(path + "/send-again", "{\"outcomes\": [\"failed\"]}")
                        .status())
                .isEqualTo(409);
        assertThat(api.get(path).<Integer>json("$.waiting")).isEqualTo(1);
    }

    @Test
    void aRecipientWhoIsNotUnknownIsNotMarked() throws Exception {
        String path = path(ended.completed("api_mark_known", OUTCOMES));

        assertThat(mark(path, "ann@example.org")).isEqualTo(409);
        assertThat(mark(path, "nobody@example.org")).isEqualTo(404);
        assertThat(mark(path, "cleo@example.org")).isEqualTo(200);
        assertThat(mark(path, "cleo@example.org")).isEqualTo(409);
    }

    @Test
    void aDecisionAboutAllIsTakenBack() throws Exception {
        String path = path(ended.completed("api_undone", OUTCOMES));
        api.post(path + "/mark-sent", "{\"all\": true}");
        int marked = api.json("$.marked");
        String decision = api.json("$.decision");

        assertThat(api.post(path + "/mark-sent/undo", "{\"decision\": \"" + decision + "\"}")
                        .status())
                .isEqualTo(200);

        assertThat(api.<Integer>json("$.unknown")).isEqualTo(marked).isPositive();
        assertThat(api.get(path).<Integer>json("$.unknown")).isEqualTo(marked);
        assertThat(api.post(path + "/mark-sent/undo", "{\"decision\": \"soon\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aRecipientThatAnOlderVersionStoredByIdna2003IsFound() throws Exception {
        String path = path(ended.completed(
                "api_idna",
                Map.of(
                        "eva@strasse.test",
                        Outcome.UNKNOWN,
                        "udo@strasse.test",
                        Outcome.FAILED,
                        "<a@x.test>",
                        Outcome.SENT)));

        assertThat(api.get(path + "/recipients/eva@stra%C3%9Fe.test").<String>json("$.email"))
                .isEqualTo("eva@strasse.test");
        assertThat(api.<String>json("$.verdict")).isEqualTo("unknown");
        assertThat(api.get(path + "/outcomes?email=eva@stra%C3%9Fe.test").<List<String>>json("$.items[*].email"))
                .containsExactly("eva@strasse.test");
        assertThat(api.get(path + "/recipients/%3Ca@x.test%3E").<String>json("$.verdict"))
                .isEqualTo("sent");
        assertThat(mark(path, "eva@stra\u00dfe.test")).isEqualTo(200);
        assertThat(again(path, "udo@stra\u00dfe.test")).isEqualTo(202);
        assertThat(api.<Integer>json("$.waiting")).isEqualTo(1);
        assertThat(api.get(path + "/recipients/nobody@stra%C3%9Fe.test").<String>json("$.email"))
                .as("as it is stored today, where no form is known")
                .isEqualTo("nobody@xn--strae-oqa.test");
        assertThat(api.get(path + "/recipients/%3Cb@x.test%3E").status()).isEqualTo(400);
    }

    /**
     * Two spellings of an address may mean two people. If only one of them is on the list, the answer is about that
     * one.
     */
    @Test
    void somebodyOfTheListGoesBeforeAnAddressThatNobodyHas() throws Exception {
        Message message = ended.completed("api_idna_list", Map.of("ann@example.org", Outcome.SENT));
        subscriptions.adminAdd(
                message.list(), new EmailAddress("late@strasse.test"), Profile.NONE, true, Origin.admin("test"));

        api.get(path(message) + "/recipients/late@stra%C3%9Fe.test");

        assertThat(api.<String>json("$.email")).isEqualTo("late@strasse.test");
        assertThat(api.<String>json("$.verdict")).isEqualTo("not_a_recipient");
    }

    /** The two spellings of the domain may belong to two people. */
    @Test
    void bothFormsOfAnAddressAreTwoRecipients() throws Exception {
        String path = path(ended.completed(
                "api_idna_both", Map.of("eva@strasse.test", Outcome.FAILED, "eva@xn--strae-oqa.test", Outcome.SENT)));

        assertThat(api.get(path + "/recipients/eva@stra%C3%9Fe.test").<String>json("$.verdict"))
                .isEqualTo("sent");
        assertThat(again(path, "eva@stra\u00dfe.test")).isEqualTo(409);
        assertThat(api.get(path + "/recipients/eva@strasse.test").<String>json("$.verdict"))
                .isEqualTo("failed");
    }

    @Test
    void aCallNamesOneRecipientOrOutcomesButNotBoth() throws Exception {
        String path = path(ended.completed("api_either", OUTCOMES));
        Map<String, String> wrong = Map.of(
                "{\"email\": \"bob@example.org\", \"outcomes\": [\"failed\"]}", "outcomes",
                "{\"outcomes\": []}", "outcomes",
                "{\"outcomes\": [null]}", "outcomes",
                "{}", "email");

        for (var call : wrong.entrySet()) {
            assertThat(api.post(path + "/send-again", call.getKey()).status()).isEqualTo(400);
            assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly(call.getValue());
        }
        api.post(path + "/send-again", "{}");
        assertThat(api.<String>json("$.errors[0].message")).contains("in outcomes");
        api.post(path + "/mark-sent", "{}");
        assertThat(api.<String>json("$.errors[0].message")).contains("in all");
        api.post(path + "/mark-sent", "{\"email\": \"cleo@example.org\", \"all\": true}");
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("all");
    }

    private int again(String path, String address) throws Exception {
        return api.post(path + "/send-again", "{\"email\": \"" + address + "\"}")
                .status();
    }

    private int mark(String path, String address) throws Exception {
        return api.post(path + "/mark-sent", "{\"email\": \"" + address + "\"}").status();
    }

    private static String path(Message message) {
        return "/api/v1/messages/" + message.ref();
    }
}
