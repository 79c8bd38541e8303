package org.azuremail.web.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.Role;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.greeting.BirthdayProperties;
import org.azuremail.greeting.BirthdayProperties.LeapDay;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.index.InlineIndex;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/** B1 to B9 and B-1 to B-5: tests the upcoming birthdays of all lists. */
@PageTest
class UpcomingBirthdaysTest {

    private static final Set<SubscriberState> SUBSCRIBED = Set.of(SubscriberState.SUBSCRIBED);

    private static int number;

    @Autowired
    ListStore lists;

    @Autowired
    FieldStore fields;

    @Autowired
    FieldIndex index;

    @Autowired
    AutowireCapableBeanFactory beans;

    @Autowired
    SubscriberPages pages;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    ManualTime time;

    @Autowired
    AzureMailProperties settings;

    @Autowired
    TestBrowser browser;

    private String field;

    @BeforeEach
    void anotherField() {
        field = "born_" + ++number;
    }

    private ListName list(String... people) throws Exception {
        ListName list = new ListName("birthdays_" + ++number);
        lists.create(MailingList.of(
                list, "", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        define(list, field);
        for (String person : people) {
            String[] parts = person.split(" ");
            add(list, parts[0], parts.length == 1 ? Map.of() : Map.of(field, "2000-" + parts[1]), true);
        }
        return list;
    }

    private void define(ListName name, String born) throws Exception {
        MailingList list = lists.find(name).orElseThrow().value();
        Field birthday = new Field(born, "Birthday", FieldType.MONTH_DAY, List.of(), true, true);
        index.save(list, fields.of(list).with(birthday), fields.find(list).etag());
    }

    private void indexed() throws Exception {
        for (int run = 0; run < 5; run++) {
            InlineIndex.run(beans);
        }
    }

    private void add(ListName list, String name, Map<String, String> values, boolean verified) {
        EmailAddress address = new EmailAddress(name + "@example.org");
        subscriptions.adminAdd(list, address, new Profile(name, values), verified, Origin.admin("test"));
    }

    private List<String> found(String from, LeapDay leapDay, int days) {
        BirthdayProperties birthdays = new BirthdayProperties(leapDay, field, days, SUBSCRIBED);
        Block block = new UpcomingBirthdays(lists, fields, index, pages, settings, birthdays);
        return block.find(Instant.parse(from), 100, false).stream()
                .map(item -> item.values().getOrDefault("name", "") + " "
                        + item.values().getOrDefault("birthday", ""))
                .toList();
    }

    private List<String> found(String from) {
        return found(from, LeapDay.FEB_28, 3);
    }

    @Test
    void b1_b9_thePeopleOfAllListsWhoseBirthdayIsTodayOrOnOneOfTheNextTwoDays() throws Exception {
        list("ann 05-03", "bob 05-04", "cid 05-05", "dan 05-06", "eve 05-02", "fay");
        ListName other = list("gil 05-04");
        add(other, "hal", Map.of(field, "2000-05-04"), false);
        indexed();
        assertThat(found("2026-05-03T00:00:00Z"))
                .as("half open, Subscribed only; B-4: nobody without a birthday")
                .containsExactlyInAnyOrder("ann 3 May", "bob 4 May", "gil 4 May", "cid 5 May");
        assertThat(found("2026-05-03T23:59:59Z"))
                .as("recomputed at each request")
                .hasSize(4);
        assertThat(found("2026-05-04T00:00:00Z")).contains("dan 6 May").doesNotContain("ann 3 May");
    }

    @Test
    void bMinus1_a36_29FebruaryIsFoundInEveryYear() throws Exception {
        list("leap 02-29");
        indexed();
        for (String day : List.of("2026-02-26", "2026-02-27", "2026-02-28", "2028-02-27", "2028-02-29")) {
            assertThat(found(day + "T12:00:00Z")).as(day).containsExactly("leap 29 February");
        }
        assertThat(found("2026-03-01T12:00:00Z")).isEmpty();
        assertThat(found("2026-02-26T12:00:00Z", LeapDay.MAR_1, 3)).isEmpty();
        assertThat(found("2026-02-27T12:00:00Z", LeapDay.MAR_1, 3)).containsExactly("leap 29 February");
        assertThat(found("2026-03-01T12:00:00Z", LeapDay.MAR_1, 1)).containsExactly("leap 29 February");
        assertThat(found("2028-03-01T12:00:00Z", LeapDay.MAR_1, 3)).isEmpty();
    }

    @Test
    void bMinus2_theWindowGoesOnAcrossNewYear() throws Exception {
        list("old 12-30", "new 01-01", "far 01-02");
        indexed();
        assertThat(found("2026-12-30T12:00:00Z")).containsExactly("old 30 December", "new 1 January");
    }

    @Test
    void bMinus3_theLocaleOfTheServerChangesNothing() throws Exception {
        list("ann 05-03");
        indexed();
        Locale before = Locale.getDefault();
        try {
            for (String tag : List.of("ar-EG", "th-TH-u-ca-buddhist-nu-thai", "fi-FI")) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                assertThat(found("2026-05-03T00:00:00Z")).as(tag).containsExactly("ann 3 May");
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void bMinus5_aFieldThatIsNotIndexedYetFindsNobody() throws Exception {
        ListName list = new ListName("birthdays_" + ++number);
        lists.create(MailingList.of(
                list, "", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        MailingList stored = lists.find(list).orElseThrow().value();
        Field text = new Field(field, "Birthday", FieldType.MONTH_DAY, List.of(), false, true);
        index.save(stored, fields.of(stored).with(text), fields.find(stored).etag());
        indexed();
        add(list, "ann", Map.of(field, "2000-05-03"), true);
        assertThat(found("2026-05-03T00:00:00Z")).isEmpty();
        define(list, field);
        indexed();
        assertThat(found("2026-05-03T00:00:00Z")).containsExactly("ann 3 May");
    }

    @Test
    void theDayIsThatOfTheZoneOfTheInstallation() throws Exception {
        list("ann 05-03");
        indexed();
        AzureMailProperties far = new AzureMailProperties(
                settings.storage(), Path.of("."), settings.publicUrl(), ZoneOffset.ofHours(12), Set.of(Role.WEB));
        Block block = new UpcomingBirthdays(
                lists, fields, index, pages, far, new BirthdayProperties(LeapDay.FEB_28, field, 1, SUBSCRIBED));
        assertThat(block.find(Instant.parse("2026-05-02T12:00:00Z"), 10, true)).hasSize(1);
        assertThat(block.find(Instant.parse("2026-05-03T12:00:00Z"), 10, true)).isEmpty();
    }

    @Test
    void theBaseOfTheSearchIsASetting() throws Exception {
        ListName list = list("ann 05-03");
        add(list, "hal", Map.of(field, "2000-05-03"), false);
        indexed();
        BirthdayProperties all = new BirthdayProperties(LeapDay.FEB_28, field, 1, Set.of());
        Block block = new UpcomingBirthdays(lists, fields, index, pages, settings, all);
        assertThat(block.find(Instant.parse("2026-05-03T12:00:00Z"), 10, true)).hasSize(2);
    }

    @Test
    void nobodyIsShownTwiceInAWholeYear() throws Exception {
        list("ann 05-03");
        indexed();
        assertThat(found("2026-05-03T00:00:00Z", LeapDay.FEB_28, 365)).hasSize(1);
    }

    @Test
    void otherSearchableFieldsAreShownAndSortedBy() throws Exception {
        ListName list = list();
        MailingList stored = lists.find(list).orElseThrow().value();
        Field points = new Field("points", "Points", FieldType.NUMBER, List.of(), true, true);
        index.save(stored, fields.of(stored).with(points), fields.find(stored).etag());
        add(list, "few", Map.of(field, "2000-05-03", "points", "9"), true);
        add(list, "many", Map.of(field, "2000-05-03", "points", "10"), true);
        add(list, "none", Map.of(field, "2000-05-03"), true);
        indexed();
        Block block = new UpcomingBirthdays(
                lists, fields, index, pages, settings, new BirthdayProperties(LeapDay.FEB_28, field, 1, SUBSCRIBED));
        assertThat(block.fields()).containsExactly("birthday", "name", "email", "list", "points");
        assertThat(block.find(Instant.parse("2026-05-03T12:00:00Z"), 10, true).stream()
                        .sorted(Comparator.comparing(item -> item.sortable("points")))
                        .map(item -> item.values().get("points")))
                .containsExactly("", "9", "10");
    }

    @Test
    void thePageTheDashboardAndItsSortingWork() throws Exception {
        field = "birthday";
        LocalDate today = LocalDate.ofInstant(time.instant(), settings.zone());
        String tomorrow = today.plusDays(1).toString().substring(5);
        list("zoe " + today.toString().substring(5), "abe " + today.toString().substring(5), "tom " + tomorrow);
        indexed();
        browser.signIn();
        assertThat(browser.open("/").page().select("#block-birthdays li a").eachText())
                .contains("abe")
                .containsSubsequence("zoe", "tom");
        assertThat(browser.text()).contains("zoe zoe@example.org").doesNotContain("Sorted by");
        assertThat(browser.open("/blocks/birthdays").page().select("main li a").eachText())
                .as("descending by default")
                .containsSubsequence("tom", "zoe");
        assertThat(browser.page().select("#order option[selected]").text()).isEqualTo("Descending");
        browser.open("/blocks/birthdays?sort=name&order=ascending");
        assertThat(browser.page().select("main li a").eachText()).containsSubsequence("abe", "zoe");
        assertThat(browser.open("/blocks/latest-messages").status()).isEqualTo(200);
        assertThat(browser.open("/blocks/third?sort=word").text()).contains("Third", "Word", "pear", "fig");
        assertThat(browser.open("/blocks/nothing").status()).isEqualTo(404);
        assertThat(browser.open("/blocks/birthdays?sort=colour").status()).isEqualTo(404);
    }
}
