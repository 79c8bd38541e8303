package org.azuremail.web.greeting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.Greetings;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.message.DraftSending;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests greetings on the pages and by calls. GreetingTests checks the emails. */
@PageTest
class GreetingPagesTest {

    private static int number;

    @Autowired
    TestBrowser browser;

    @Autowired
    ListStore lists;

    @Autowired
    FieldStore fields;

    @Autowired
    Messages messages;

    @Autowired
    Greetings greetings;

    @Autowired
    DraftSending drafts;

    @Autowired
    ManualTime time;

    private ListName list;
    private String draft;

    @BeforeEach
    void aListWithABirthdayAndADraft() throws Exception {
        list = new ListName("greeted_" + ++number);
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        lists.create(MailingList.of(list, "", from, OptIn.DOUBLE, time.instant()));
        MailingList stored = lists.find(list).orElseThrow().value();
        Field born = new Field("born", "Birthday", FieldType.MONTH_DAY, List.of(), false, true);
        fields.save(stored, fields.of(stored).with(born), fields.find(stored).etag());
        Messages.MessageCreateResult made = messages.create(new Messages.NewMessage(
                Audience.of(list),
                Draft.of("Happy birthday", "<p>Hello</p>", null),
                new Schedule(time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                null,
                "test",
                true,
                false));
        draft = ((Messages.MessageCreateResult.Created) made).message().ref().toString();
        browser.signIn();
    }

    private Map<String, String> typed() {
        return new TreeMap<>(Map.of(
                "name",
                "Birthdays",
                "list",
                list.value(),
                "occasion",
                "birthday",
                "field",
                "born",
                "days",
                "",
                "time",
                "09:00",
                "message",
                draft));
    }

    @Test
    void aDoubleClickCreatesOneGreeting() throws Exception {
        browser.open("/greetings/new").submitTwice("/greetings/new", typed(), Map.of());

        assertThat(browser.text()).contains("The greeting is created");
        assertThat(greetings.all())
                .filteredOn(greeting -> greeting.value().list().equals(list))
                .hasSize(1);
    }

    @Test
    void aGreetingIsCreatedEditedPausedResumedAndDeleted() throws Exception {
        browser.open("/greetings/new").submit("/greetings/new", typed());
        assertThat(browser.text())
                .contains("The greeting is created", "Birthday (field: born)", "Happy birthday", "09:00");
        String page = browser.address();
        String id = page.substring(page.lastIndexOf('/') + 1);

        Map<String, String> changed = typed();
        changed.remove("list");
        changed.putAll(Map.of("name", "A week after", "occasion", "after-joining", "days", "7", "time", "18:30"));
        browser.open(page + "/edit").submit(page + "/edit", changed);
        assertThat(browser.text()).contains("The greeting is saved", "7 days after subscribing", "18:30");
        assertThat(greetings.find(id).orElseThrow().value().field()).isEmpty();

        browser.submit(page + "/pause", Map.of());
        assertThat(browser.text()).contains("The greeting is paused");
        assertThat(browser.open("/greetings").text()).contains("A week after", "Paused", "Not sent yet");
        for (String column : List.of("name", "list", "next", "last")) {
            browser.open("/greetings?dir=desc&sort=" + column);
            assertThat(browser.page().select("th[aria-sort=descending]")).hasSize(1);
            assertThat(browser.text()).contains("A week after");
        }
        browser.open(page).submit(page + "/resume", Map.of());
        assertThat(browser.text()).contains("active again");

        browser.open(page + "/delete").submit(page + "/delete", Map.of());
        assertThat(browser.text()).contains("The greeting is deleted").doesNotContain("A week after");
        browser.open(page);
        assertThat(browser.status()).isEqualTo(404);
    }

    @Test
    void daysAreTypedInTheDigitsOfTheKeyboard() throws Exception {
        Map<String, String> typed = typed();
        typed.putAll(Map.of("occasion", "after-joining", "days", "٣٠"));
        browser.open("/greetings/new").submit("/greetings/new", typed);

        assertThat(browser.text()).contains("The greeting is created", "30 days after subscribing");
    }

    @Test
    void everyMistakeIsToldAtItsField() throws Exception {
        Map<String, String> wrong = typed();
        wrong.putAll(Map.of("name", " ", "field", "other", "time", "25:00", "message", ""));
        browser.open("/greetings/new").submit("/greetings/new", wrong);
        assertThat(browser.errorAt("name")).contains("Enter a name");
        assertThat(browser.errorAt("field")).contains("Choose a field");
        assertThat(browser.errorAt("time")).contains("Enter a time");
        assertThat(browser.errorAt("message")).contains("Choose the draft");

        wrong.putAll(Map.of("occasion", "after-joining", "days", "0"));
        browser.submit("/greetings/new", wrong);
        assertThat(browser.errorAt("days")).contains("1 to 3,650");
    }

    @Test
    void theDraftIsOneForTheSameList() throws Exception {
        ListName other = new ListName("other_" + list);
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        lists.create(MailingList.of(other, "", from, OptIn.DOUBLE, time.instant()));
        Map<String, String> wrong = typed();
        wrong.putAll(Map.of("list", other.value(), "occasion", "welcome"));
        browser.open("/greetings/new").submit("/greetings/new", wrong);
        assertThat(browser.errorAt("message")).contains("not for " + other);
    }

    @Test
    void theFormOffersTheFieldOfTheListAndItsDraftsUnderItsName() throws Exception {
        browser.open("/greetings/new?list=" + list);
        assertThat(browser.page().select("#field option[selected]").eachAttr("value"))
                .containsExactly("born");
        assertThat(browser.page()
                        .select("#message optgroup[label=" + list + "] option")
                        .eachText())
                .containsExactly("Happy birthday");
    }

    /** The message would go to everybody on the list. */
    @Test
    void theDraftOfAGreetingIsNotSentByHand() throws Exception {
        browser.open("/greetings/new").submit("/greetings/new", typed());
        browser.open("/messages/" + draft + "/review");
        assertThat(browser.text()).contains("The greeting Birthdays sends this message");
        browser.open("/messages/" + draft);
        assertThat(browser.page().select("#greeting").text()).contains("The greeting Birthdays sends this message");
        assertThat(browser.page().select("#send")).isEmpty();
        assertThat(drafts.send(
                        messages.find(MessageRef.parse(draft).orElseThrow()).orElseThrow()))
                .isEqualTo(DraftSending.Result.REFUSED);
        String page = "/greetings/"
                + greetings.all().get(greetings.all().size() - 1).value().id();
        browser.open(page + "/delete").submit(page + "/delete", Map.of());
        assertThat(browser.open("/messages/" + draft + "/review").text()).doesNotContain("The greeting Birthdays");
    }

    /** Otherwise, the greeting would be sent to nobody from then on. */
    @Test
    void theDraftOfAGreetingIsNotDeleted() throws Exception {
        browser.open("/greetings/new").submit("/greetings/new", typed());
        Greeting first = greetings.all().get(greetings.all().size() - 1).value();
        String page = browser.address();
        browser.open(page + "/delete").submit(page + "/delete", Map.of());
        String delete = "/messages/" + draft + "/delete";
        browser.open(delete);
        greetings.create(first);
        browser.submit(delete, Map.of());
        assertThat(browser.text()).contains("The greeting Birthdays sends this message. Choose another draft");
        assertThat(browser.open(delete).text()).contains("The greeting Birthdays sends this message");
        assertThat(messages.find(MessageRef.parse(draft).orElseThrow())).isPresent();
        greetings.delete(first.id());
        browser.open(delete).submit(delete, Map.of());
        assertThat(messages.find(MessageRef.parse(draft).orElseThrow())).isEmpty();
    }

    @Test
    void theSlowerAdminIsToldAndLosesNothing() throws Exception {
        browser.open("/greetings/new").submit("/greetings/new", typed());
        String page = browser.address();
        browser.open(page + "/edit");
        Versioned<Greeting> read =
                greetings.find(page.substring(page.lastIndexOf('/') + 1)).orElseThrow();
        greetings.change(read, Greeting::asPaused);
        Map<String, String> mine = typed();
        mine.put("name", "Mine");
        mine.remove("list");
        browser.submit(page + "/edit", mine);
        assertThat(browser.text()).contains("modified by another user");
        assertThat(browser.page().select("input[name=name]").val()).isEqualTo("Mine");
    }
}
