package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;

/** Tests the page that a confirmation link opens. */
@PageTest
class ConfirmationPageTest extends MembershipSteps {

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

    /**
     * A person who has only an old email must not learn whether its recipient is subscribed, unsubscribed,
     * suppressed or erased.
     */
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
    void confirmationLinkOfSomebodyWhoLeftDoesNotBringThemBack() throws Exception {
        String confirmation = asked();
        oneClick("id=" + subscriber().guid() + "&listName=" + LIST);

        assertThat(browser.open("/subscribe?" + confirmation).text()).contains(DEAD);
        browser.postForged("/subscribe?" + confirmation, Map.of());

        assertThat(browser.text()).contains(DEAD);
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }
}
