package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;

/** Checks how a subscriber is changed. */
class SubscriberEditTest extends OnSubscriberPages {

    @Test
    void e19_secondEditorSeesCurrentValuesAndWinsWithTheNextSave() throws Exception {
        add("carl@example.org", Map.of("name", "Old"));
        String edit = "/subscribers/edit?list=" + list + "&email=carl@example.org";
        TestBrowser first = browsers.getObject().signIn().open(edit);
        browser.open(edit);
        first.submit("/subscribers/edit", Map.of("name", "First", "verified", "true"));

        browser.submit("/subscribers/edit", Map.of("name", "Second"));

        assertThat(browser.text()).contains("The record you attempted to edit was modified by another user");
        assertThat(browser.page().select(".summary h2").text()).isEqualTo("There is a problem");
        assertThat(browser.page().select(".summary li")).hasSize(1);
        assertThat(browser.errorAt("name")).isEqualTo("Current value: First");
        assertThat(browser.errorAt("verified")).isEqualTo("Current value: Yes");
        assertThat(subscriber("carl@example.org").profile().name()).isEqualTo("First");

        browser.submit("/subscribers/edit", Map.of());

        assertThat(subscriber("carl@example.org").profile().name()).isEqualTo("Second");
        assertThat(subscriber("carl@example.org").verified()).isFalse();
    }

    @Test
    void e19_secondEditorSeesCurrentValuesOfTheListsOwnFields() throws Exception {
        lists.addAttributes(list, new TreeSet<>(Set.of("city", "company")));
        Profile old = new Profile("Dora", Map.of("city", "Bern", "company", "Acme"));
        subscriptions.adminAdd(list, new EmailAddress("dora@example.org"), old, true, Origin.admin("test"));
        String edit = "/subscribers/edit?list=" + list + "&email=dora@example.org";
        TestBrowser first = browsers.getObject().signIn().open(edit);
        browser.open(edit);
        first.submit("/subscribers/edit", Map.of("attribute.city", "Basel"));

        browser.submit("/subscribers/edit", Map.of("name", "Eva"));

        assertThat(browser.errorAt("attribute-city")).isEqualTo("Current value: Basel");
        assertThat(browser.errorAt("attribute-company")).isEmpty();

        browser.submit("/subscribers/edit", Map.of("attribute.city", "Basel"));

        assertThat(subscriber("dora@example.org").profile())
                .isEqualTo(new Profile("Eva", Map.of("city", "Basel", "company", "Acme")));
    }

    @Test
    void savingWithoutAChangeKeepsEveryFieldAlsoAfterARefusal() throws Exception {
        lists.addAttributes(list, new TreeSet<>(Set.of("city", "company")));
        Profile typed = new Profile("Dora", Map.of("city", "Bern \"Old Town\"", "company", "Acme"));
        subscriptions.adminAdd(list, new EmailAddress("dora@example.org"), typed, true, Origin.admin("test"));
        String edit = "/subscribers/edit?list=" + list + "&email=dora@example.org";

        browser.open(edit).submit("/subscribers/edit", Map.of());

        assertThat(subscriber("dora@example.org").profile()).isEqualTo(typed);

        browser.open(edit).submit("/subscribers/edit", Map.of("email", "no address", "attribute.city", "Basel"));
        assertThat(browser.errorAt("email")).isNotEmpty();
        assertThat(browser.page().select(".summary a[href=#email]").text())
                .isEqualTo("Enter an email address in the form name@example.org.");
        browser.submit("/subscribers/edit", Map.of("email", "dora@example.org"));

        assertThat(subscriber("dora@example.org").profile().attributes())
                .isEqualTo(Map.of("city", "Basel", "company", "Acme"));
    }

    /** A browser removes line breaks from an input of one line. */
    @Test
    void aTextKeepsItsLineBreaksUnlessItIsChanged() throws Exception {
        lists.addAttributes(list, new TreeSet<>(Set.of("street")));
        Profile typed = new Profile("Dora", Map.of("street", "1 Mill Lane\nUlm"));
        subscriptions.adminAdd(list, new EmailAddress("dora@example.org"), typed, true, Origin.admin("test"));
        browser.open("/subscribers/edit?list=" + list + "&email=dora@example.org");

        browser.submit("/subscribers/edit", Map.of("name", "Eva", "attribute.street", "1 Mill LaneUlm"));

        assertThat(subscriber("dora@example.org").profile())
                .isEqualTo(new Profile("Eva", Map.of("street", "1 Mill Lane\nUlm")));
    }

    @Test
    void addressIsChangedAndTheOldLinkLeadsToTheNewAddress() throws Exception {
        add("old@example.org", Map.of("verified", "true"));
        String link = "id=" + subscriber("old@example.org").guid() + "&listName=" + list;

        browser.open("/subscribers/edit?list=" + list + "&email=old@example.org")
                .submit("/subscribers/edit", Map.of("email", "new@example.org", "verified", "true"));

        assertThat(browser.text()).contains("Your changes are saved", "new@example.org");
        assertThat(browsers.getObject().open("/unsubscribe?" + link).text())
                .contains("Do you want to unsubscribe your address from:")
                .doesNotContain("ne*@");
        browser.open("/subscribers/details?list=" + list + "&email=old@example.org");
        assertThat(browser.page().select(".badge").text()).isEqualTo("Moved");
        assertThat(browser.open("/subscribers?list=" + list)
                        .page()
                        .select("tbody .badge")
                        .eachText())
                .containsExactly("Subscribed", "Moved");
        assertThat(store.counts(lists.findActive(list).orElseThrow())).isEqualTo(new SubscriberCounts(0, 1, 0, 0, 1));
        browser.open("/subscribers?list=" + list + "&state=Unsubscribed");
        assertThat(browser.text()).contains("No subscriber matches", "Unsubscribed (0)", "Moved (1)");
        browser.open("/subscribers?list=" + list + "&state=Moved");
        assertThat(browser.page().select("tbody th").eachText()).containsExactly("old@example.org");
    }

    @Test
    void peopleWhoLeftAreSubscribedAgainOnlyOnPurposeAndOnRecord() throws Exception {
        add("ria@example.org", Map.of("verified", "true"));
        time.advance(Duration.ofMinutes(1));
        subscriptions.leave(list, new EmailAddress("ria@example.org"), Origin.link(null));
        edit("ria@example.org");
        assertThat(browser.text()).contains("This person unsubscribed on", "with the link in an email");

        browser.submit("/subscribers/edit", Map.of("name", "Ria", "verified", "true"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("again")).contains("This person unsubscribed on", "only if the person asked you to");
        assertThat(subscriber("ria@example.org").verified()).isFalse();

        browser.submit("/subscribers/edit", Map.of("verified", "true", "again", "true"));

        Subscriber back = subscriber("ria@example.org");
        assertThat(back.verified()).isTrue();
        assertThat(back.consent()
                        .latest(Declaration.Kind.VERIFIED_BY_ADMIN)
                        .orElseThrow()
                        .detailText())
                .startsWith("subscribed again on the admin's word. This person unsubscribed on");
    }

    @Test
    void addressThatAnOlderVersionTookIsStillFoundAndErased() throws Exception {
        EmailAddress odd = new EmailAddress("<old@x.test>");
        EmailAddress former = new EmailAddress("eva@strasse.test");
        for (EmailAddress stored : List.of(odd, former)) {
            subscriptions.adminAdd(list, stored, Profile.NONE, true, Origin.admin("test"));
        }

        browser.open(
                SubscriberPageSupport.page("/subscribers/details", list, new EmailAddress("eva@stra\u00dfe.test")));
        assertThat(browser.text()).contains("eva@strasse.test");

        for (EmailAddress stored : List.of(odd, former)) {
            browser.open(SubscriberPageSupport.page("/subscribers/delete", list, stored))
                    .submit("/subscribers/delete", Map.of());
            assertThat(browser.page().select("#notice.done")).hasSize(1);
            assertThat(browser.open(SubscriberPageSupport.page("/subscribers/details", list, stored))
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void quotedAddressIsAddedFoundAndUnsubscribed() throws Exception {
        EmailAddress quoted = EmailAddress.parse("\"a b/c\"@x.test").orElseThrow();
        add(quoted.value(), Map.of("verified", "true"));

        assertThat(subscriber(quoted.value()).address()).isEqualTo(quoted);
        browser.open(SubscriberPageSupport.page("/subscribers/unsubscribe", list, quoted))
                .submit("/subscribers/unsubscribe", Map.of());
        assertThat(subscriber(quoted.value()).verified()).isFalse();
    }
}
