package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ConfirmationClaims;
import org.azuremail.subscription.ConfirmationClaims.Claiming;
import org.azuremail.subscription.ConfirmationItem;
import org.azuremail.subscription.Declaration;
import org.azuremail.subscription.MaskedAddress;
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
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class MembershipTest {

    private static final ListName LIST = new ListName("members");
    private static final String DEAD = "This link does not work any more";
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
    ConfirmationClaims claims;

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
        String query = asked();

        browser.open("/subscribe?" + query);
        assertThat(browser.text())
                .contains("Confirm my subscription", "Members & friends", masked())
                .doesNotContain(student.value());
        assertThat(state()).isEqualTo(SubscriberState.UNCONFIRMED);

        browser.submit("/subscribe", Map.of());

        assertThat(browser.text())
                .contains("Email List Subscription Service")
                .contains("Email address " + masked() + " has been subscribed to: Members & friends.");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(browser.cookies()).isEmpty();
    }

    @Test
    void aLinkOfTheListBeforeConfirmsAndNamesTheListOfNow() throws Exception {
        String query = asked();
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
        String query = asked();
        browser.open("/subscribe?" + query).submit("/subscribe", Map.of());
        String first = browser.text();

        assertThat(browser.open("/subscribe?" + query).text()).isEqualTo(first);
        browser.postForged("/subscribe?" + query, Map.of());
        assertThat(browser.text()).isEqualTo(first);
    }

    @Test
    void a63_theSecretOfListMailConfirmsNobodyWhateverIsOpenedOrPosted() throws Exception {
        String inListMail = joined(true);
        oneClick(inListMail);
        subscriptions.subscribe(LIST, student, Profile.NONE, Origin.api("stranger", null));

        browser.open("/subscribe?" + inListMail);
        assertThat(browser.text()).contains(DEAD, "Send me a new email").doesNotContain("@");
        browser.postForged("/subscribe?" + inListMail, Map.of());
        assertThat(browser.text()).contains(DEAD);

        assertThat(state()).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void aDeadLinkOffersANewEmailWhichConfirms() throws Exception {
        String ofAnEarlierVersion = joined(false);
        browser.open("/subscribe?" + ofAnEarlierVersion);
        assertThat(browser.text()).contains(DEAD);
        assertThat(requests()).isZero();

        browser.submit("/subscribe", Map.of("answer", "new-link"));
        assertThat(browser.text()).contains("Check your email").doesNotContain("@");
        assertThat(requests()).isEqualTo(1);
        assertThat(state()).isEqualTo(SubscriberState.UNCONFIRMED);

        browser.open("/subscribe?" + mailed()).submit("/subscribe", Map.of());
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    /** Whether somebody is subscribed, left, suppressed or erased is nobody's business who only holds an old mail. */
    @Test
    void aDeadLinkTellsAStrangerNothing() throws Exception {
        String query = joined(true);
        String subscribed = pagesOfADeadLink(query);
        oneClick(query);
        String left = pagesOfADeadLink(query);
        subscriptions.suppress(LIST, student, Origin.admin("test"));
        String suppressed = pagesOfADeadLink(query);
        subscriptions.erase(LIST, student, Origin.admin("test"));
        String erased = pagesOfADeadLink(query);

        assertThat(List.of(left, suppressed, erased)).containsOnly(subscribed);
        assertThat(subscribed).doesNotContain("@", "contoso");
    }

    private String pagesOfADeadLink(String query) throws Exception {
        String opened = browser.open("/subscribe?" + query).text();
        browser.postForged("/subscribe?" + query, Map.of());
        String posted = browser.text();
        browser.postForged("/subscribe?" + query, Map.of("answer", "new-link"));
        return opened + posted + browser.text();
    }

    @Test
    void afterAChangeOfAddressNoLinkOfBeforeShowsTheNewAddress() throws Exception {
        String confirmation = asked();
        String unsubscribe = "id=" + subscriber().guid() + "&listName=" + LIST;
        EmailAddress moved = new EmailAddress("zacharias" + people + "@elsewhere.example");
        subscriptions.changeAddress(
                LIST,
                student,
                store.find(lists.findActive(LIST).orElseThrow(), student)
                        .orElseThrow()
                        .etag(),
                moved,
                Origin.admin("test"));

        assertThat(browser.open("/subscribe?" + confirmation).text()).contains(DEAD);
        assertThat(browser.text()).doesNotContain("za*", "@", ".example");
        assertThat(browser.open("/unsubscribe?" + unsubscribe).text())
                .contains("Do you want to unsubscribe your address from: Members & friends?")
                .doesNotContain("za*", "@", ".example");
        browser.submit("/unsubscribe", Map.of("answer", "confirm"));
        assertThat(browser.text())
                .contains("Your address has been unsubscribed")
                .doesNotContain("@");
        assertThat(browser.open("/unsubscribe?" + unsubscribe).text())
                .contains("You are already unsubscribed")
                .doesNotContain("@");
        student = moved;
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void aTestEmailsLinkSaysSoAndChangesNothing() throws Exception {
        joined(true);
        String sample = ListMail.sample(
                        ListIdentity.of(lists.findActive(LIST).orElseThrow()),
                        URI.create("http://localhost"),
                        "7",
                        student,
                        List.of())
                .fields()
                .get("unsubscribe");
        String link = sample.substring("http://localhost".length());

        assertThat(browser.open(link).text()).contains("This was a test email", "nothing was changed");
        browser.postForged(link, Map.of("answer", "confirm"));
        assertThat(browser.text()).contains("This was a test email");
        browser.postForged(link, Map.of("answer", "cancel"));
        assertThat(browser.text()).contains("This was a test email");
        assertThat(oneClick(link.substring(link.indexOf('?') + 1)).getContentAsString())
                .isEqualTo("A test email. Nothing was changed.");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
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
        String confirmation = asked();
        oneClick("id=" + subscriber().guid() + "&listName=" + LIST);

        assertThat(browser.open("/subscribe?" + confirmation).text()).contains(DEAD);
        browser.postForged("/subscribe?" + confirmation, Map.of());

        assertThat(browser.text()).contains(DEAD);
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    /** I5: whatever a scanner asks for by a link, it changes nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void i5_noRequestButAPostConfirmsOrUnsubscribes(String method) throws Exception {
        String confirmation = asked();
        String unsubscribe = "id=" + subscriber().guid() + "&listName=" + LIST;
        for (String answer : List.of("", "&answer=confirm", "&answer=new-link", "&List-Unsubscribe=One-Click")) {
            mvc.perform(request(HttpMethod.valueOf(method), URI.create("/subscribe?" + confirmation + answer)));
            mvc.perform(request(HttpMethod.valueOf(method), URI.create("/unsubscribe?" + unsubscribe + answer)));
        }
        assertThat(state()).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(requests()).isEqualTo(1);
    }

    private MockHttpServletResponse oneClick(String query) throws Exception {
        return mvc.perform(post("/unsubscribe?" + query)
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .content("List-Unsubscribe=One-Click"))
                .andReturn()
                .getResponse();
    }

    /** Asked to join; what the mail's link carries. */
    private String asked() {
        subscriptions.subscribe(LIST, student, Profile.NONE, Origin.api("partner", null));
        return mailed();
    }

    private String mailed() {
        Claiming claimed = claims.claim(new ConfirmationItem(subscriber().guid(), LIST));
        return "id=" + ((Claiming.Claimed) claimed).claim().link().id() + "&listName=" + LIST;
    }

    private long requests() {
        return subscriber().consent().declarations().stream()
                .filter(one -> one.kind() == Declaration.Kind.ASKED_TO_JOIN
                        || one.kind() == Declaration.Kind.CONFIRMATION_REQUESTED)
                .count();
    }

    private String masked() {
        return MaskedAddress.of(student).value();
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
