package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Declaration;
import org.azuremail.subscription.Origin;
import org.azuremail.subscription.Profile;
import org.azuremail.subscription.Subscriber;
import org.azuremail.subscription.SubscriberState;
import org.azuremail.subscription.SubscriptionStore;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class SubscriberPagesTest {

    private static int number;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    SubscriptionStore store;

    @Autowired
    ManualTime time;

    private TestBrowser browser;
    private ListName list;

    @BeforeEach
    void thereIsAList() throws Exception {
        list = new ListName("people_" + ++number);
        lists.create(MailingList.of(
                list, "People", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        browser = browsers.getObject().signIn();
    }

    @Test
    void subscriberIsAddedByHandAndShownWithWhoSaidSo() throws Exception {
        add("Ann@example.org", Map.of("name", "Ann", "verified", "true"));

        assertThat(browser.text())
                .contains("The subscriber is added", "Ann@example.org", "Subscribed", "Verified by admin")
                .contains("by ann@example.org");
        assertThat(subscriber("ann@example.org").state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void withoutTheTickNobodyIsVerified() throws Exception {
        add("bob@example.org", Map.of());

        assertThat(subscriber("bob@example.org").state()).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void badAndKnownAddressesAreRefusedAtTheField() throws Exception {
        add("bob@example.org", Map.of());

        add("bob@", Map.of());
        assertThat(browser.errorAt("email")).contains("not an e-mail address");

        add("BOB@example.org", Map.of());
        assertThat(browser.errorAt("email")).contains("on the list already");
    }

    @Test
    void e27_moreThanAThousandAreShownPageByPageEachOnce() throws Exception {
        TreeSet<String> expected = new TreeSet<>();
        for (int i = 0; i < 1050; i++) {
            String address = "reader" + i + "@example.org";
            expected.add(address);
            subscriptions.adminAdd(list, new EmailAddress(address), Profile.NONE, true, Origin.admin("test"));
        }

        TreeSet<String> seen = new TreeSet<>();
        int pages = 0;
        browser.open("/subscribers?list=" + list);
        while (true) {
            pages++;
            for (String shown : browser.page().select("tbody th a").eachText()) {
                assertThat(seen.add(shown)).as(shown).isTrue();
            }
            String next = browser.page().select("a:contains(Next page)").attr("href");
            if (next.isEmpty()) {
                break;
            }
            browser.open(next);
        }

        assertThat(seen).isEqualTo(expected);
        assertThat(pages).isBetween(21, 30);
        assertThat(browser.open("/subscribers?list=" + list + "&q=READER104")
                        .page()
                        .select("tbody th a")
                        .eachText())
                .hasSize(11);
    }

    @Test
    void stateNarrowsThePage() throws Exception {
        add("in@example.org", Map.of("verified", "true"));
        add("out@example.org", Map.of());

        browser.open("/subscribers?list=" + list + "&state=Unconfirmed");

        assertThat(browser.page().select("tbody th a").eachText()).containsExactly("out@example.org");
    }

    @Test
    void e19_secondEditorSeesCurrentValuesAndWinsWithTheNextSave() throws Exception {
        add("carl@example.org", Map.of("name", "Old"));
        String edit = "/subscribers/edit?list=" + list + "&email=carl@example.org";
        TestBrowser first = browsers.getObject().signIn().open(edit);
        browser.open(edit);
        first.submit("/subscribers/edit", Map.of("name", "First", "verified", "true"));

        browser.submit("/subscribers/edit", Map.of("name", "Second"));

        assertThat(browser.text()).contains("The record you attempted to edit was modified by another user");
        assertThat(browser.errorAt("name")).isEqualTo("Current value: First");
        assertThat(browser.errorAt("verified")).isEqualTo("Current value: yes");
        assertThat(subscriber("carl@example.org").profile().name()).isEqualTo("First");

        browser.submit("/subscribers/edit", Map.of());

        assertThat(subscriber("carl@example.org").profile().name()).isEqualTo("Second");
        assertThat(subscriber("carl@example.org").verified()).isFalse();
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
        browser.submit("/subscribers/edit", Map.of("email", "dora@example.org"));

        assertThat(subscriber("dora@example.org").profile().attributes())
                .isEqualTo(Map.of("city", "Basel", "company", "Acme"));
    }

    @Test
    void addressIsChangedAndTheOldLinkLeadsToTheNewAddress() throws Exception {
        add("old@example.org", Map.of("verified", "true"));
        String link = "id=" + subscriber("old@example.org").guid() + "&listName=" + list;

        browser.open("/subscribers/edit?list=" + list + "&email=old@example.org")
                .submit("/subscribers/edit", Map.of("email", "new@example.org", "verified", "true"));

        assertThat(browser.text()).contains("Your changes are saved", "new@example.org");
        assertThat(browsers.getObject().open("/unsubscribe?" + link).text())
                .contains("Do you want to unsubscribe ne*@*******.org");
    }

    @Test
    void limitation24_aSubscriberIsMovedToTheListChosenAndBothPagesSayWhere() throws Exception {
        ListName other = anotherList();
        add("mia@example.org", Map.of("name", "Mia", "verified", "true"));
        String link = "id=" + subscriber("mia@example.org").guid() + "&listName=" + list;
        edit("mia@example.org");
        assertThat(browser.page().select("#target option[selected]").attr("value"))
                .isEqualTo(list.value());

        browser.submit("/subscribers/edit", Map.of("target", other.value(), "name", "Mia M."));

        assertThat(browser.address()).contains("list=" + other);
        assertThat(browser.text())
                .contains("The subscriber is on this list now and has left the other.", "Mia M.", "Subscribed")
                .contains("List changed", "by ann@example.org");
        assertThat(subscriber("mia@example.org").state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        browser.open("/subscribers/details?list=" + list + "&email=mia@example.org");
        assertThat(browser.text()).contains("Moved to mia@example.org on " + other);
        browser.open(browser.page().select("dd a").attr("href"));
        assertThat(browser.text()).contains("gets the list’s mail");
        assertThat(browsers.getObject().open("/unsubscribe?" + link).text()).contains("from: Another list");
    }

    @Test
    void whereSomebodyIsAlreadyOrHasLeftIsSaidAtTheListAndNothingIsSaved() throws Exception {
        ListName other = anotherList();
        EmailAddress noa = new EmailAddress("noa@example.org");
        subscriptions.adminAdd(other, noa, Profile.NONE, true, Origin.admin("test"));
        add("noa@example.org", Map.of("name", "Noa", "verified", "true"));

        edit("noa@example.org").submit("/subscribers/edit", Map.of("target", other.value(), "name", "Changed"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("target"))
                .isEqualTo("This address is on the list " + other + " already (Subscribed).");
        assertThat(browser.page().select("#target option[selected]").attr("value"))
                .isEqualTo(other.value());
        assertThat(subscriber("noa@example.org").profile().name()).isEqualTo("Noa");

        subscriptions.leave(other, noa, Origin.link(null));
        browser.submit("/subscribers/edit", Map.of());
        assertThat(browser.errorAt("target")).contains("was on the list " + other + " and left");

        browser.submit("/subscribers/edit", Map.of("target", list.value()));
        assertThat(subscriber("noa@example.org").profile().name()).isEqualTo("Changed");
    }

    @Test
    void aListThatIsBeingDeletedIsNotOfferedAndRefusedWhenItGoesMeanwhile() throws Exception {
        ListName other = anotherList();
        add("lea@example.org", Map.of("verified", "true"));
        edit("lea@example.org");
        lists.markDeleting(other);

        browser.submit("/subscribers/edit", Map.of("target", other.value()));

        assertThat(browser.errorAt("target")).contains("The list " + other + " is gone, or it is being deleted");
        assertThat(subscriber("lea@example.org").verified()).isTrue();
        edit("lea@example.org");
        assertThat(browser.page().select("#target option").eachAttr("value"))
                .contains(list.value())
                .doesNotContain(other.value());
    }

    @Test
    void whoeverLeftIsSubscribedAgainOnPurposeOnlyAndOnRecord() throws Exception {
        add("ria@example.org", Map.of("verified", "true"));
        time.advance(Duration.ofMinutes(1));
        subscriptions.leave(list, new EmailAddress("ria@example.org"), Origin.link(null));
        edit("ria@example.org");
        assertThat(browser.text()).contains("This person left on", "by the link in a mail");

        browser.submit("/subscribers/edit", Map.of("name", "Ria", "verified", "true"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("again")).contains("This person left on", "only if you have their word");
        assertThat(subscriber("ria@example.org").verified()).isFalse();

        browser.submit("/subscribers/edit", Map.of("verified", "true", "again", "true"));

        Subscriber back = subscriber("ria@example.org");
        assertThat(back.verified()).isTrue();
        assertThat(back.consent()
                        .latest(Declaration.Kind.VERIFIED_BY_ADMIN)
                        .orElseThrow()
                        .detail())
                .startsWith("subscribed again on the admin's word. This person left on");
    }

    @Test
    void e19_savingTwiceMovesOnceAndAMoveMeanwhileRevivesNobody() throws Exception {
        ListName other = anotherList();
        add("kim@example.org", Map.of("verified", "true"));
        TestBrowser twice = browsers.getObject().signIn();
        TestBrowser elsewhere = browsers.getObject().signIn();
        String form = "/subscribers/edit?list=" + list + "&email=kim@example.org";
        browser.open(form);
        twice.open(form);
        elsewhere.open(form);
        Map<String, String> there = Map.of("target", other.value(), "verified", "true");
        browser.submit("/subscribers/edit", there);

        twice.submit("/subscribers/edit", there);
        elsewhere.submit("/subscribers/edit", Map.of("name", "Kim", "verified", "true"));
        assertThat(elsewhere.text()).contains("was moved meanwhile: kim@example.org on " + other);
        elsewhere.submit("/subscribers/edit", Map.of());

        assertThat(twice.address()).contains("list=" + other);
        assertThat(elsewhere.text()).contains("was moved meanwhile");
        assertThat(subscriber("kim@example.org").verified()).isFalse();
    }

    private TestBrowser edit(String email) throws Exception {
        return browser.open("/subscribers/edit?list=" + list + "&email=" + email);
    }

    private ListName anotherList() {
        ListName other = new ListName("others_" + ++number);
        lists.create(MailingList.of(
                other,
                "Another list",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        return other;
    }

    @Test
    void oddAddressesWorkInEveryLink() throws Exception {
        String odd = "o'brien+news/%2F?&#@example.org";
        add(odd, Map.of());

        assertThat(browser.text()).contains("The subscriber is added", odd);
        browser.open("/subscribers?list=" + list);
        browser.open(browser.page().select("tbody th a").attr("href"));
        assertThat(browser.page().select("h1").text()).isEqualTo(odd);
        browser.open(browser.page().select("a:contains(Delete)").attr("href")).submit("/subscribers/delete", Map.of());

        assertThat(browser.open("/subscribers?list=" + list).text()).contains("Nobody is on this list yet");
    }

    @Test
    void confirmationIsSentAgainWithinItsLimit() throws Exception {
        add("dora@example.org", Map.of());
        for (int i = 0; i < 5; i++) {
            browser.submit("/subscribers/confirm-again", Map.of());
            assertThat(browser.text()).contains("The confirmation mail is on its way");
            time.advance(java.time.Duration.ofMinutes(1));
        }

        browser.submit("/subscribers/confirm-again", Map.of());

        assertThat(browser.text()).contains("had its share of confirmation mails");
    }

    @Test
    void unknownSubscriberIsAFriendlyPage() throws Exception {
        assertThat(browser.open("/subscribers/details?list=" + list + "&email=no@example.org")
                        .text())
                .contains("no@example.org is not on this list");
        assertThat(browser.status()).isEqualTo(404);
        assertThat(browser.open("/subscribers?list=" + list + "&cursor=forged").status())
                .isEqualTo(404);
    }

    private void add(String email, Map<String, String> more) throws Exception {
        Map<String, String> fields = new java.util.TreeMap<>(more);
        fields.put("email", email);
        browser.open("/subscribers/new?list=" + list).submit("/subscribers/new", fields);
    }

    private Subscriber subscriber(String email) {
        MailingList found = lists.findActive(list).orElseThrow();
        return store.find(found, new EmailAddress(email)).map(Versioned::value).orElseThrow();
    }
}
