package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Membership;
import org.azuremail.subscription.Origin;
import org.azuremail.subscription.Profile;
import org.azuremail.subscription.Subscriber;
import org.azuremail.subscription.SubscriberState;
import org.azuremail.subscription.SubscriptionStore;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.time.Time;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class MembershipTest {

    private static final ListName LIST = new ListName("members");
    private static int people;

    @Autowired
    MockMvc mvc;

    @Autowired
    TestBrowser browser;

    @Autowired
    ListStore lists;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    SubscriptionStore store;

    @Autowired
    Time time;

    private EmailAddress student;

    @BeforeEach
    void somebodyIsOnTheList() {
        lists.create(MailingList.of(
                LIST,
                "Members & friends",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        student = new EmailAddress("student" + ++people + "@contoso.edu");
    }

    @Test
    void e17_a50_openingTheLinkAsksAndOnePressConfirms() throws Exception {
        String query = joined(false);

        browser.open("/subscribe?" + query);
        assertThat(browser.text()).contains("Confirm my subscription", "Members & friends", student.value());
        assertThat(state()).isEqualTo(SubscriberState.UNCONFIRMED);

        browser.submit("/subscribe", Map.of());

        assertThat(browser.text())
                .contains("Email List Subscription Service")
                .contains("Email address " + student + " has been subscribed to: Members & friends.");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(browser.cookies()).isEmpty();
    }

    @Test
    void aLinkOfTheListBeforeConfirmsAndNamesTheListOfNow() throws Exception {
        String query = joined(false);
        ListName other = new ListName("benefactors");
        lists.create(MailingList.of(
                other,
                "Benefactors",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        MailingList before = lists.findActive(LIST).orElseThrow();
        subscriptions.move(
                new Membership(LIST, student),
                store.find(before, student).orElseThrow().etag(),
                new Membership(other, student),
                Origin.admin("test"));

        browser.open("/subscribe?" + query);
        assertThat(browser.text()).contains("Benefactors").doesNotContain("Members & friends");
        browser.submit("/subscribe", Map.of());

        assertThat(browser.text()).contains("has been subscribed to: Benefactors.");
        MailingList now = lists.findActive(other).orElseThrow();
        assertThat(store.find(now, student).orElseThrow().value().verified()).isTrue();
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void e17_confirmingAgainShowsTheSamePage() throws Exception {
        String query = joined(false);
        browser.open("/subscribe?" + query).submit("/subscribe", Map.of());
        String first = browser.text();

        assertThat(browser.open("/subscribe?" + query).text()).isEqualTo(first);
        browser.postForged("/subscribe?" + query, Map.of());
        assertThat(browser.text()).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=members",
                "id=no-guid-at-all&listName=members",
                "id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=nowhere",
                "id=999.AAAAAAAAAAAAAAAAAAAAAA&listName=members",
                "id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=%3Cb%3E%2F"
            })
    void defect12_unknownGuidIsAFriendlyPageNeverAFailure(String query) throws Exception {
        browser.open("/subscribe?" + query);
        assertThat(browser.status()).isEqualTo(200);
        assertThat(browser.text()).contains("This link does not work any more");
        browser.postForged("/subscribe?" + query, Map.of());
        assertThat(browser.status()).isEqualTo(200);

        browser.open("/unsubscribe?" + query);
        assertThat(browser.status()).isEqualTo(200);
        assertThat(browser.text()).contains("You are already unsubscribed");
        browser.postForged("/unsubscribe?" + query, Map.of("answer", "confirm"));
        assertThat(browser.text()).contains("You are already unsubscribed");
        assertThat(oneClick(query).getStatus()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "id=&listName=members", "id=1.AAAAAAAAAAAAAAAAAAAAAA", "listName=members"})
    void linkThatIsNotWholeSaysSo(String query) throws Exception {
        assertThat(browser.open("/unsubscribe?" + query).text()).contains("Empty subscriber ID or list name.");
        assertThat(browser.open("/subscribe?" + query).text()).contains("Empty subscriber ID or list name.");
        assertThat(oneClick(query).getStatus()).isEqualTo(400);
    }

    @Test
    void e18_openingAsksCancelKeepsAndConfirmLeaves() throws Exception {
        String query = joined(true);

        browser.open("/unsubscribe?" + query);
        assertThat(browser.text()).contains("Do you want to unsubscribe st", "*@*******.edu from: Members & friends?");
        assertThat(browser.text()).doesNotContain(student.value());
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);

        browser.submit("/unsubscribe", Map.of("answer", "cancel"));
        assertThat(browser.text()).contains("will NOT be unsubscribed from: Members & friends.");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);

        browser.open("/unsubscribe?" + query).submit("/unsubscribe", Map.of("answer", "confirm"));
        assertThat(browser.text()).contains("has been unsubscribed from: Members & friends.");
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);

        assertThat(browser.open("/unsubscribe?" + query).text())
                .contains("You are already unsubscribed", "gets no mail from this list");
    }

    @Test
    void aDamagedLinkPromisesNothing() throws Exception {
        String query = joined(true);

        for (String damaged : List.of(query + "x", query.replace("&", "x&"), query.replace("members", "others"))) {
            browser.open("/unsubscribe?" + damaged);
            assertThat(browser.text())
                    .contains("No subscription belongs to this link", "open the link from that mail itself")
                    .doesNotContain("gets no mail");
        }
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void e18_guidOfOneListRemovesNobodyFromAnother() throws Exception {
        String query = joined(true);

        browser.postForged("/unsubscribe?" + query.replace("members", "others"), Map.of("answer", "confirm"));

        assertThat(browser.text()).contains("You are already unsubscribed");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void e18_oneClickLeavesAtOnceWithoutCookieSignInTokenOrRedirect() throws Exception {
        String query = joined(true);

        MockHttpServletResponse answer = oneClick(query);

        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getHeader("Location")).isNull();
        assertThat(answer.getCookies()).isEmpty();
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(oneClick(query).getStatus()).isEqualTo(200);
    }

    @Test
    void postWithoutAnAnswerChangesNothing() throws Exception {
        String query = joined(true);

        browser.postForged("/unsubscribe?" + query, Map.of());

        assertThat(browser.status()).isEqualTo(400);
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void confirmationLinkOfSomebodyWhoLeftDoesNotBringThemBack() throws Exception {
        String query = joined(true);
        oneClick(query);

        browser.open("/subscribe?" + query);
        assertThat(browser.text()).contains("You left this list");
        browser.postForged("/subscribe?" + query, Map.of());

        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    private MockHttpServletResponse oneClick(String query) throws Exception {
        return mvc.perform(post("/unsubscribe?" + query)
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .content("List-Unsubscribe=One-Click"))
                .andReturn()
                .getResponse();
    }

    private String joined(boolean verified) {
        subscriptions.adminAdd(LIST, student, Profile.NONE, verified, Origin.admin("test"));
        return "id=" + subscriber().guid() + "&listName=" + LIST;
    }

    private SubscriberState state() {
        return subscriber().state();
    }

    private Subscriber subscriber() {
        MailingList list = lists.findActive(LIST).orElseThrow();
        return store.find(list, student).map(Versioned::value).orElseThrow();
    }
}
