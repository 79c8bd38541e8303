package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.suppression.Suppressions;
import org.azuremail.web.EndedMessage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks how subscribers are listed, shown, added and deleted. */
class SubscriberPagesTest extends OnSubscriberPages {

    @Autowired
    Suppressions suppressions;

    @Autowired
    EndedMessage messages;

    @Test
    void statesAreShownInABrowserWhoseLanguageHasAnIWithoutADot() throws Exception {
        add("eva@example.org", Map.of("verified", "true"));
        browser.inLanguage(Locale.forLanguageTag("tr-TR"));

        assertThat(browser.open("/subscribers?list=" + list)
                        .page()
                        .select("tbody .badge.good")
                        .text())
                .isEqualTo("Subscribed");
        assertThat(browser.text()).doesNotContain("??");
    }

    @Test
    void subscriberIsAddedByHandAndShownWithWhoSaidSo() throws Exception {
        add("Ann@example.org", Map.of("name", "Ann", "verified", "true"));

        assertThat(browser.text())
                .contains("The subscriber is added", "Ann@example.org", "Subscribed", "Marked as verified")
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
        assertThat(browser.errorAt("email")).contains("in the form name@example.org");

        add("BOB@example.org", Map.of());
        assertThat(browser.errorAt("email")).contains("already on the list");

        subscriptions.leave(list, new EmailAddress("bob@example.org"), Origin.link(null));
        add("bob@example.org", Map.of("verified", "true"));
        assertThat(browser.errorAt("email")).contains("and unsubscribed", "open them on that list and choose Edit");
        assertThat(subscriber("bob@example.org").verified()).isFalse();
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
    void aPersonIsFoundOverAllListsByTheBeginningOfTheAddress() throws Exception {
        ListName other = anotherList();
        for (int i = 0; i < 60; i++) {
            subscriptions.adminAdd(list, found(i), new Profile("Found", Map.of()), true, Origin.admin("test"));
        }
        subscriptions.adminAdd(other, found(7), Profile.NONE, true, Origin.admin("test"));

        browser.open("/subscribers?list=*&q=FOUND.07@");
        assertThat(browser.page().select("tbody tr td:nth-child(2)").eachText())
                .containsExactly(other.value(), list.value());
        assertThat(browser.page().select("tbody th a").attr("href")).contains("list=" + other);
        browser.open("/subscribers?list=*&q=found");
        assertThat(browser.page().select("tbody tr")).hasSize(50);
        browser.open(browser.page().select("a:contains(Next page)").attr("href"));
        assertThat(browser.page().select("tbody tr")).hasSize(11);
        assertThat(browser.open("/subscribers?list=*&q=found.x").text()).contains("No subscriber matches");
        assertThat(browser.open("/subscribers?list=*&q=found&cursor=YQ").status())
                .isEqualTo(400);
    }

    private static EmailAddress found(int number) {
        return new EmailAddress("found.%02d@example.org".formatted(number));
    }

    @Test
    void stateNarrowsThePage() throws Exception {
        add("in@example.org", Map.of("verified", "true"));
        add("out@example.org", Map.of());

        browser.open("/subscribers?list=" + list + "&state=Unconfirmed");

        assertThat(browser.page().select("tbody th a").eachText()).containsExactly("out@example.org");
    }

    @Test
    void oddAddressesWorkInEveryLink() throws Exception {
        String odd = "o'brien+news/%2F?&#@example.org";
        add(odd, Map.of());

        assertThat(browser.text()).contains("The subscriber is added", odd);
        browser.open("/subscribers?list=" + list);
        browser.open(browser.page().select("tbody th a").attr("href"));
        assertThat(browser.page().select("h1").text()).isEqualTo(odd);
        browser.open(browser.page().select("a:contains(Delete)").attr("href"));
        assertThat(browser.text())
                .contains("Messages keep the address, the name and the outcome", "Other lists keep their own data");
        browser.submit("/subscribers/delete", Map.of());

        assertThat(browser.open("/subscribers?list=" + list).text()).contains("This list has no subscribers yet");
    }

    @Test
    void aDeletionThatWaitsForAMessageIsShown() throws Exception {
        list = messages.processing("erasing").list();
        add("kim@example.org", Map.of("verified", "true"));
        browser.open(browser.page().select("a:contains(Delete subscriber)").attr("href"))
                .submit("/subscribers/delete", Map.of());

        browser.open("/subscribers/details?list=" + list + "&email=kim@example.org");

        assertThat(browser.page().select("#erasing").text()).contains("deleted as soon as no message to this list");
    }

    @Test
    void someoneWhoseAddressIsSuppressedGetsNoEmailThoughSubscribed() throws Exception {
        add("sue@example.org", Map.of("verified", "true"));
        assertThat(browser.text()).contains("Gets this list’s email");
        suppressions.suppress(
                new EmailAddress("sue@example.org"),
                SuppressionReason.SUPPRESSED_BY_ADMIN,
                time.instant(),
                "ann@example.org",
                "");

        browser.open("/subscribers/details?list=" + list + "&email=sue@example.org");

        assertThat(browser.page().select(".head .badge").eachText()).contains("Suppressed everywhere");
        assertThat(browser.text()).contains("Gets no email").doesNotContain("Gets this list’s email");
    }

    @Test
    void someoneWhoHasNotConfirmedIsShownWithTheReasonAndTheWayOut() throws Exception {
        add("uma@example.org", Map.of());

        assertThat(browser.page().select("#unconfirmed").text())
                .contains("has not confirmed the subscription yet", "Send a confirmation email");
    }

    @Test
    void confirmationIsSentAgainWithinItsLimit() throws Exception {
        add("dora@example.org", Map.of());
        for (int i = 0; i < 5; i++) {
            browser.submit("/subscribers/confirm-again", Map.of());
            assertThat(browser.text()).contains("The confirmation email is on its way");
            time.advance(java.time.Duration.ofMinutes(1));
        }

        browser.submit("/subscribers/confirm-again", Map.of());

        assertThat(browser.text()).contains("today’s limit of confirmation emails");
    }

    @Test
    void unknownSubscriberIsAFriendlyPage() throws Exception {
        assertThat(browser.open("/subscribers/details?list=" + list + "&email=no@example.org")
                        .text())
                .contains("no@example.org is not on this list");
        assertThat(browser.status()).isEqualTo(404);
        assertThat(browser.open("/subscribers?list=" + list + "&cursor=forged").status())
                .isEqualTo(400);
    }

    @Test
    void adminUnsubscribesWhoAskedByPhoneAndItStandsInTheHistory() throws Exception {
        add("phil@example.org", Map.of("verified", "true"));
        String asking = browser.page().select("a:contains(Unsubscribe)").attr("href");

        browser.open(asking);
        assertThat(browser.text()).contains("Unsubscribe this person?", "phil@example.org");
        assertThat(subscriber("phil@example.org").verified()).isTrue();
        browser.submit("/subscribers/unsubscribe", Map.of());

        assertThat(browser.text())
                .contains("gets no more email from this list", "Unsubscribed")
                .contains("by ann@example.org")
                .doesNotContain("Send a confirmation email");
        assertThat(browser.page().select("a:contains(Unsubscribe)")).isEmpty();
        Subscriber gone = subscriber("phil@example.org");
        assertThat(gone.state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(gone.consent().latest(Declaration.Kind.LEFT).orElseThrow().how())
                .isEqualTo(Origin.Channel.ADMIN);
        assertThat(store.departuresIn(list, gone.shard(), "phil@example.org", "phil@example.org"))
                .containsValue(DepartureReason.UNSUBSCRIBED);

        browser.open(asking).submit("/subscribers/unsubscribe", Map.of());
        assertThat(browser.text()).contains("Nothing was changed");
        assertThat(subscriber("phil@example.org")).isEqualTo(gone);
    }

    @Test
    void anAddressThatIsNotOnTheListCannotBeUnsubscribed() throws Exception {
        add("zoe@example.org", Map.of());
        browser.open(browser.page().select("a:contains(Unsubscribe)").attr("href"));
        subscriptions.erase(list, new EmailAddress("zoe@example.org"), Origin.admin("test"));

        browser.submit("/subscribers/unsubscribe", Map.of());

        assertThat(browser.status()).isEqualTo(404);
        assertThat(browser.text()).contains("zoe@example.org is not on this list");
    }

    @Test
    @DisplayName("A72: an admin suppresses a person on one list and releases them there; the history tells who and why")
    void a72_suppressedOnOneList() throws Exception {
        add("sue@example.org", Map.of("verified", "true"));
        String asking =
                browser.page().select("a:contains(Suppress on this list)").attr("href");
        browser.open(asking).submit("/subscribers/suppress", Map.of("why", "x".repeat(201)));
        assertThat(browser.text()).contains("The reason has at most 200 characters.");
        assertThat(subscriber("sue@example.org").state()).isEqualTo(SubscriberState.SUBSCRIBED);
        browser.submit("/subscribers/suppress", Map.of("why", "|\\ threatens us"));

        assertThat(browser.text())
                .contains("gets no more email from this list", "This list sends nothing to this person")
                .contains("by ann@example.org · |\\ threatens us");
        Subscriber gone = subscriber("sue@example.org");
        assertThat(gone.state()).isEqualTo(SubscriberState.SUPPRESSED);
        assertThat(store.departuresIn(list, gone.shard(), "sue@example.org", "sue@example.org"))
                .containsValue(DepartureReason.SUPPRESSED);

        browser.open(browser.page().select("#suppressed-here a").attr("href"))
                .submit("/subscribers/release", Map.of("why", "they apologised"));
        assertThat(browser.text())
                .contains("counts as unsubscribed", "Suppression lifted", "they apologised")
                .doesNotContain("This list sends nothing");
        assertThat(subscriber("sue@example.org").state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(browser.open(asking.replace("suppress", "release")).status()).isEqualTo(404);
    }

    @Test
    void thoseWhoAreSuppressedEverywhereAreMarkedInTheTable() throws Exception {
        add("sid@example.org", Map.of("verified", "true"));
        add("tom@example.org", Map.of("verified", "true"));
        suppressions.suppress(
                new EmailAddress("sid@example.org"),
                SuppressionReason.SUPPRESSED_COMPLAINT,
                Instant.parse("2026-01-01T00:00:00Z"),
                "",
                "");

        browser.open("/subscribers?list=" + list);
        assertThat(browser.page().select("tr:contains(sid@example.org)").text()).contains("Suppressed everywhere");
        assertThat(browser.page().select("tr:contains(tom@example.org)").text()).doesNotContain("Suppressed");
    }
}
