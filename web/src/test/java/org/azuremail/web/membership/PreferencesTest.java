package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.PageTest;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Tests the page on which subscribers see and change what is known about them. */
@PageTest
class PreferencesTest extends MembershipSteps {

    private static final String PAGE = "/preferences";
    private static final ListName OTHER = new ListName("other_news");

    @Autowired
    FieldStore fields;

    private String query;

    @BeforeEach
    void twoListsAndTwoFields() {
        MailingList list = lists.findActive(LIST).orElseThrow();
        Versioned<ListFields> now = fields.find(list);
        fields.save(
                list,
                now.value()
                        .with(new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), false, true))
                        .with(new Field("customer", "Customer number", FieldType.TEXT, List.of(), false, false)),
                now.etag());
        lists.create(MailingList.of(
                OTHER, "Other news", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        listed(true);
        Profile profile = new Profile("Ann", Map.of("birthday", "2000-02-29", "customer", "471108"));
        subscriptions.adminAdd(LIST, student, profile, true, Origin.admin("test"));
        subscriptions.adminAdd(OTHER, student, Profile.NONE, true, Origin.admin("test"));
        query = "id=" + subscriber().guid() + "&listName=" + LIST;
    }

    @Test
    void subscribersChangeNameAndTheFieldsThatTheListLetsThem() throws Exception {
        browser.open(PAGE + "?" + query);
        assertThat(browser.text())
                .contains("Customer number: 4***", masked(), "Birthday (for example 25 November)", "Other news")
                .doesNotContain("471108", student.value());
        assertThat(browser.page().selectFirst("[name=field.birthday]").val()).isEqualTo("29 February");
        assertThat(browser.page().html().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(15 * 1024);

        browser.postForged(
                PAGE + "?" + query, Map.of("name", " Ann <b> ", "field.birthday", "1 March", "field.customer", "1"));

        assertThat(browser.text()).contains("Your changes are saved");
        assertThat(subscriber().profile())
                .isEqualTo(new Profile("Ann <b>", Map.of("birthday", "2000-03-01", "customer", "471108")));
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    /** The service and admins record more, such as emails and imports, also with the network of the admin. */
    @Test
    void onlyWhatTheySaidThemselvesIsCalledTheirConsent() throws Exception {
        assertThat(browser.open(PAGE + "?" + query).text())
                .contains("On the list since")
                .doesNotContain("gave or withdrew your consent", "network");

        subscriptions.leave(LIST, subscriber().guid(), Origin.link("192.0.2.7"));
        subscriptions.adminEdit(LIST, student, etag(), subscriber().profile(), true, Origin.admin("test"));

        assertThat(browser.open(PAGE + "?" + query).page().select("li:contains(consent)"))
                .singleElement()
                .extracting(Element::text)
                .asString()
                .endsWith(", from the network address 1***");
    }

    /** The first letter of such a value would reveal the whole. */
    @Test
    void aValueWithFewAlternativesIsMaskedAsAWhole() throws Exception {
        MailingList list = lists.findActive(LIST).orElseThrow();
        Versioned<ListFields> now = fields.find(list);
        fields.save(
                list,
                now.value()
                        .with(new Field("paid", "Has paid", FieldType.YES_NO, List.of(), false, false))
                        .with(new Field("party", "Party", FieldType.CHOICE, List.of("Left", "Right"), false, false))
                        .with(new Field("blood", "Blood group", FieldType.TEXT, List.of(), false, false)),
                now.etag());
        Profile profile = new Profile("Ann", Map.of("paid", "no", "party", "Left", "blood", "B"));
        edit(profile);

        assertThat(browser.open(PAGE + "?" + query).text()).contains("Has paid: ***", "Party: ***", "Blood group: ***");
    }

    /** A browser removes line breaks from an input of one line. */
    @Test
    void aTextKeepsItsLineBreaksUnlessItIsChanged() throws Exception {
        MailingList list = lists.findActive(LIST).orElseThrow();
        Versioned<ListFields> now = fields.find(list);
        Field address = new Field("customer", "Address", FieldType.TEXT, List.of(), false, true);
        fields.save(list, now.value().with(address), now.etag());
        edit(new Profile("Ann", Map.of("customer", "1 Mill Lane\nUlm")));

        browser.postForged(PAGE + "?" + query, Map.of("name", "Bob", "field.customer", "1 Mill LaneUlm"));
        assertThat(subscriber().profile()).isEqualTo(new Profile("Bob", Map.of("customer", "1 Mill Lane\nUlm")));

        browser.postForged(PAGE + "?" + query, Map.of("name", "Bob", "field.customer", "2 Mill LaneUlm"));
        assertThat(subscriber().profile()).isEqualTo(new Profile("Bob", Map.of("customer", "2 Mill LaneUlm")));
    }

    private void edit(Profile profile) {
        subscriptions.adminEdit(LIST, student, etag(), profile, true, Origin.admin("test"));
    }

    private String etag() {
        return store.find(lists.findActive(LIST).orElseThrow(), student)
                .orElseThrow()
                .etag();
    }

    @Test
    void aValueThatDoesNotFitIsToldAndNothingIsSaved() throws Exception {
        browser.open(PAGE + "?" + query).submit(PAGE, Map.of("name", "Bob", "field.birthday", "30 February"));

        assertThat(browser.text()).contains("Nothing was saved yet", "Birthday must be a day and a month");
        assertThat(browser.page().selectFirst("[name=field.birthday]").val()).isEqualTo("30 February");
        assertThat(subscriber().profile().name()).isEqualTo("Ann");

        browser.submit(PAGE, Map.of("name", "x".repeat(201), "field.birthday", ""));
        assertThat(browser.text()).contains("Nothing was saved yet", "Name is longer than 200 characters");
    }

    private void listed(boolean listed) {
        Versioned<MailingList> now = lists.find(OTHER).orElseThrow();
        lists.update(now.value().withBrand(now.value().brand().withListed(listed)), now.etag());
    }

    /** The email with the link may have been forwarded. */
    @Test
    void aListThatIsNobodysBusinessIsNeitherShownNorLeft() throws Exception {
        listed(false);

        browser.open(PAGE + "?" + query);
        assertThat(browser.text()).doesNotContain("Other news", OTHER.value(), "You also get email");
        browser.postForged(PAGE + "?" + query, Map.of("name", "Ann", "leave", OTHER.value()));

        assertThat(browser.text()).contains("Your changes are saved");
        assertThat(store.find(lists.findActive(OTHER).orElseThrow(), student)
                        .orElseThrow()
                        .value()
                        .state())
                .isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void otherListsOfTheSameAddressCanBeLeft() throws Exception {
        browser.open(PAGE + "?" + query).submit(PAGE, Map.of("leave", OTHER.value()));

        assertThat(browser.text()).contains("Your changes are saved").doesNotContain("Other news");
        assertThat(store.find(lists.findActive(OTHER).orElseThrow(), student)
                        .orElseThrow()
                        .value()
                        .state())
                .isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void i5_openingThePageChangesNothing() throws Exception {
        Profile before = subscriber().profile();

        for (String method : List.of("GET", "HEAD", "OPTIONS")) {
            mvc.perform(MockMvcRequestBuilders.request(
                    HttpMethod.valueOf(method), URI.create(PAGE + "?" + query + "&name=Eve&leave=" + OTHER)));
        }

        assertThat(subscriber().profile()).isEqualTo(before);
    }

    @Test
    void aLinkThatIsNobodysShowsNothing() throws Exception {
        subscriptions.leave(LIST, subscriber().guid(), Origin.link(null));

        for (String link : List.of(query, query + "x", "id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=" + LIST)) {
            assertThat(browser.open(PAGE + "?" + link).text())
                    .contains("No subscription belongs to this link")
                    .doesNotContain("Ann", "4***", "Other news");
            browser.postForged(PAGE + "?" + link, Map.of("name", "Eve"));
        }
        assertThat(subscriber().profile().name()).isEqualTo("Ann");
        assertThat(browser.open(PAGE + "?id=x").text()).contains("Empty subscriber ID or list name.");
    }
}
