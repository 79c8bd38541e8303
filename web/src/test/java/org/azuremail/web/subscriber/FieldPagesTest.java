package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.SetJob;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.Greetings;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Occasion;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the fields of a list, from their definition to the search. */
class FieldPagesTest extends OnSubscriberPages {

    @Autowired
    FieldStore fields;

    @Autowired
    Storage storage;

    @Autowired
    SegmentStore segments;

    @Autowired
    Greetings greetings;

    @Autowired
    IdSource ids;

    @Autowired
    List<SetJob<?, ?>> functions;

    @Test
    void aBirthdayOutlivesAChangeInABrowserWhoseLanguageHasOtherDigits() throws Exception {
        addField(Map.of("caption", "Birthday", "type", "month_day"));
        add("eva@example.org", Map.of("attribute.birthday.day", "03", "attribute.birthday.month", "02"));

        browser.inLanguage(Locale.forLanguageTag("ar-EG"))
                .open("/subscribers/edit?list=" + list + "&email=eva@example.org")
                .submit("/subscribers/edit", Map.of("name", "Eva"));

        assertThat(subscriber("eva@example.org").profile().name()).isEqualTo("Eva");
        assertThat(subscriber("eva@example.org").profile().attributes()).containsEntry("birthday", "2000-02-03");
    }

    @Test
    void aFieldIsAddedFilledInAndSearched() throws Exception {
        addField(Map.of("caption", "Birthday", "type", "month_day", "searchable", "true"));
        assertThat(browser.text()).contains("The field Birthday is added", "Month and day", "Indexed");

        add("eva@example.org", Map.of("attribute.birthday.day", "29", "attribute.birthday.month", "02"));
        add("bob@example.org", Map.of("attribute.birthday.day", "17", "attribute.birthday.month", "05"));

        assertThat(subscriber("eva@example.org").profile().attributes()).containsEntry("birthday", "2000-02-29");
        assertThat(browser.open("/subscribers/details?list=" + list + "&email=eva@example.org")
                        .text())
                .contains("Birthday", "29 February")
                .doesNotContain("2000");
        assertThat(browser.open("/subscribers?list=" + list + "&field=birthday&q=february")
                        .text())
                .contains("eva@example.org", "29 February")
                .doesNotContain("bob@example.org", "2000");
        assertThat(browser.open("/subscribers?list=" + list + "&field=birthday&q=nonsense")
                        .text())
                .doesNotContain("eva@example.org", "bob@example.org");
        assertThat(browser.open("/subscribers?list=" + list + "&field=birthday").body())
                .matches("(?s).*eva@example.org.*bob@example.org.*");
    }

    @Test
    void aBoxThatIsNeitherTickedNorEmptyIsRefused() throws Exception {
        addField(Map.of("caption", "Odd", "type", "text", "searchable", "perhaps"));

        assertThat(browser.status()).isEqualTo(400);
    }

    @Test
    void aValueThatDoesNotFitIsRefusedAtItsFieldAndStaysTyped() throws Exception {
        addField(Map.of("caption", "Birthday", "type", "month_day"));
        addField(Map.of("caption", "Points", "type", "number"));

        add(
                "eva@example.org",
                Map.of(
                        "attribute.birthday.day", "30",
                        "attribute.birthday.month", "02",
                        "attribute.points", "many"));

        assertThat(browser.text())
                .contains("There are 2 problems", "Birthday must be a day and a month", "Points must be a number");
        assertThat(browser.body()).contains("href=\"#attribute-birthday\"", "value=\"many\"");
        assertThat(store.find(lists.findActive(list).orElseThrow(), new EmailAddress("eva@example.org")))
                .isEmpty();
    }

    @Test
    void namesAreDerivedUniqueAndNotTheServicesOwn() throws Exception {
        addField(Map.of("caption", "Home town", "type", "text"));
        assertThat(browser.text()).contains("{{home_town}}");

        addField(Map.of("caption", "HOME TOWN", "type", "text"));
        assertThat(browser.errorAt("fieldName")).contains("already has a field named home_town");
        addField(Map.of("caption", "Email", "type", "text"));
        assertThat(browser.errorAt("fieldName")).contains("Enter a name here");
        addField(Map.of("caption", "Kind", "fieldName", "\u212Aind", "type", "text"));
        assertThat(browser.errorAt("fieldName")).startsWith("Use lower-case letters");
        addField(Map.of("caption", "Size", "type", "choice", "options", "S\ns"));
        assertThat(browser.errorAt("options")).contains("different options");
        addField(Map.of("caption", "", "type", "text"));
        assertThat(browser.errorAt("caption")).contains("Enter a label");
        addField(Map.of("caption", "", "fieldName", "list", "type", "other"));
        assertThat(browser.page().select(".summary a").eachText())
                .as("in the order of the inputs")
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("Enter a label."),
                        second -> assertThat(second).startsWith("Use lower-case letters"),
                        third -> assertThat(third).isEqualTo("Choose a type."));
    }

    @Test
    void aChangeOfTypeSaysFirstHowManyValuesDoNotFitAndWhere() throws Exception {
        addField(Map.of("caption", "Born", "type", "text"));
        subscribe("eva@example.org", "29 Feb");
        subscribe("bob@example.org", "in spring");

        browser.open("/fields/edit?list=" + list + "&field=born")
                .submit("/fields/edit", Map.of("caption", "Born", "type", "month_day", "searchable", "true"));

        assertThat(browser.text()).contains("1 of 2 values does not fit", "bob@example.org", "in spring");
        assertThat(field("born").type()).isEqualTo(FieldType.TEXT);

        browser.submit("/fields/check", Map.of());

        assertThat(field("born").type()).isEqualTo(FieldType.MONTH_DAY);
        assertThat(subscriber("eva@example.org").profile().attributes()).containsEntry("born", "2000-02-29");
        assertThat(subscriber("bob@example.org").profile().attributes()).containsEntry("born", "in spring");
        assertThat(edit("bob@example.org").text()).contains("“in spring” does not fit");
    }

    @Test
    void aChangeOfTypeDoesNotOverwriteWhatSomebodyElseChangedSinceTheFormWasOpened() throws Exception {
        addField(Map.of("caption", "Born", "type", "text"));
        browser.open("/fields/edit?list=" + list + "&field=born")
                .submit("/fields/edit", Map.of("caption", "Born", "type", "month_day"));
        MailingList stored = lists.findActive(list).orElseThrow();
        Versioned<ListFields> now = fields.find(stored);
        Field other = new Field("born", "Date of birth", FieldType.TEXT, List.of(), false, true);
        fields.save(stored, now.value().with(other), now.etag());

        browser.submit("/fields/check", Map.of());

        assertThat(browser.text()).contains("somebody else changed the fields");
        assertThat(field("born")).isEqualTo(other);
    }

    @Test
    void aDeletedFieldGoesWithItsValues() throws Exception {
        addField(Map.of("caption", "City", "type", "text", "searchable", "true"));
        subscribe("eva@example.org", "city", "Ulm");

        browser.open("/fields/delete?list=" + list + "&field=city").submit("/fields/delete", Map.of());

        assertThat(browser.text()).contains("The field City is deleted").doesNotContain("{{city}}");
        assertThat(subscriber("eva@example.org").profile().attributes()).isEmpty();
    }

    @Test
    void segmentsAndGreetingsThatUseAFieldAreNamedBeforeItIsDeletedOrGetsAnotherType() throws Exception {
        addField(Map.of("caption", "Born", "type", "month_day"));
        segments.insert(new Segment(list, new SegmentName("gold"), "Gold", """
                {"all":[{"what":"field","field":"born","test":"after","value":"02-01"}]}"""));
        greetings.create(new Greeting(
                "g" + list,
                list,
                "Many happy returns",
                Occasion.Kind.BIRTHDAY,
                "born",
                0,
                LocalTime.NOON,
                new MessageRef(1),
                true,
                LocalDate.EPOCH,
                time.instant(),
                time.instant(),
                "test"));

        assertThat(browser.open("/fields/delete?list=" + list + "&field=born").text())
                .contains("Segments that cannot be used any more Gold", "find nobody Many happy returns");
        browser.open("/fields/edit?list=" + list + "&field=born")
                .submit("/fields/edit", Map.of("caption", "Born", "type", "date"));
        assertThat(browser.text()).contains("cannot be used any more Gold").doesNotContain("Many happy returns");
        browser.open("/fields/delete?list=" + list + "&field=born").submit("/fields/delete", Map.of());

        assertThat(browser.open("/segments?list=" + list).text())
                .contains("Gold Cannot be used: The list has no field “born”.");
        greetings.delete("g" + list);
    }

    @Test
    void searchableFieldsAndTheirPeopleAreReachedByCallToo() throws Exception {
        addField(Map.of("caption", "City", "type", "text", "searchable", "true"));

        assertThat(browser.open("/fields?list=" + list).text()).contains("Name", "Not searchable");
        browser.open("/fields/edit?list=" + list + "&field=name").submit("/fields/edit", Map.of("searchable", "true"));
        subscribe("eva@example.org", "city", "Ulm");

        assertThat(field(Field.NAME).searchable()).isTrue();
        browser.open("/subscribers?list=" + list);
        assertThat(browser.page().select("th[aria-sort=ascending]").text()).isEqualTo("Email address");
        browser.open("/subscribers?list=" + list + "&field=city");
        assertThat(browser.page().select("th[aria-sort=ascending]").text()).isEqualTo("City");
        browser.open(browser.page().select("thead a:contains(Email address)").attr("href"));
        assertThat(browser.page().select("th[aria-sort=ascending]").text()).isEqualTo("Email address");
        assertThat(browser.open("/subscribers?list=" + list + "&field=city&q=UL")
                        .text())
                .contains("eva@example.org");
    }

    @Test
    void aSearchThatFindsNoAddressOffersToMakeNamesSearchable() throws Exception {
        add("eva@example.org", Map.of("name", "Maria Weber"));

        browser.open("/subscribers?list=" + list + "&q=maria");
        assertThat(browser.text()).contains("Only addresses were searched");
        String offer =
                browser.page().select("a:contains(Make names searchable)").attr("href");
        browser.open(offer).submit("/fields/edit", Map.of("searchable", "true"));

        assertThat(browser.open("/subscribers?list=" + list + "&field=name&q=maria")
                        .text())
                .contains("eva@example.org");
        assertThat(browser.open("/subscribers?list=" + list + "&q=maria").text())
                .contains("No subscriber matches", "Try a shorter search")
                .doesNotContain("Make names searchable");
    }

    @Test
    void everybodyIsIndexedAgainByAJobThatCanBeCancelled() throws Exception {
        addField(Map.of("caption", "City", "type", "text", "searchable", "true"));
        subscribe("eva@example.org", "city", "Ulm");

        browser.submit("/fields/index", Map.of());

        assertThat(browser.text()).contains("0 of 1 subscribers are indexed");
        String job = browser.page().select("#fields a[href^=/jobs/]").attr("href");
        assertThat(browser.open(job).text())
                .contains("Indexing of subscribers", "Running", "0 of 1 people processed", list.value());
        browser.open(job + "/cancel").submit(job + "/cancel", Map.of());
        finish(job);
        assertThat(browser.open("/fields?list=" + list).text())
                .contains("cancelled or failed before all subscribers were indexed")
                .doesNotContain("subscribers are indexed.");

        browser.submit("/fields/index", Map.of());
        String second = browser.page().select("#fields a[href^=/jobs/]").attr("href");
        finish(second);

        assertThat(browser.open(second).text()).contains("Done", "Processed 1");
        assertThat(browser.open("/fields?list=" + list).text())
                .contains("Indexed")
                .doesNotContain("cancelled or failed", "0 of 1");
    }

    private void finish(String page) {
        new InlineJobs(storage, time, ids, () -> functions).finish(page.substring("/jobs/".length()));
    }

    @Test
    void aFormWithoutItsListSaysWhereToChooseOne() throws Exception {
        for (String form : List.of("/fields/new", "/subscribers/new")) {
            assertThat(browser.open(form).text()).contains("Open Lists, choose a list");
            assertThat(browser.status()).isEqualTo(400);
        }
    }

    private Field field(String name) {
        return fields.of(lists.findActive(list).orElseThrow()).of(name);
    }

    private void addField(Map<String, String> typed) throws Exception {
        browser.open("/fields/new?list=" + list).submit("/fields/new", new TreeMap<>(typed));
    }

    private void subscribe(String email, String born) {
        subscribe(email, "born", born);
    }

    private void subscribe(String email, String field, String value) {
        List.of(subscriptions.adminAdd(
                list, new EmailAddress(email), new Profile("", Map.of(field, value)), true, Origin.admin("test")));
    }
}
