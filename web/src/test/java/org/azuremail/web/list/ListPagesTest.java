package org.azuremail.web.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.azuremail.limit.Limits;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mailclass.Plan;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class ListPagesTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    SimulatedStorage simulated;

    @Autowired
    ManualTime time;

    @Autowired
    EndedMessage messages;

    @Test
    void newListIsMadeAndShown() throws Exception {
        TestBrowser browser = makeList("fresh_1", "Fresh news");

        assertThat(browser.address()).isEqualTo("/lists/fresh_1");
        assertThat(browser.text()).contains("The list is created", "Fresh news", "This list has no subscribers yet");
        assertThat(browser.open("/lists?after=fresh_0").text()).contains("fresh_1", "news@example.org");
    }

    @Test
    void moreListsThanAPageHoldsComePageByPageAndOnlyTheShownAreCounted() throws Exception {
        List<String> names =
                IntStream.range(0, 60).mapToObj("zz_%02d"::formatted).toList();
        for (String name : names) {
            lists.create(MailingList.of(
                    new ListName(name),
                    name,
                    new Mailbox(new EmailAddress("a@example.org"), ""),
                    OptIn.DOUBLE,
                    time.instant()));
        }
        TestBrowser browser = browsers.getObject().signIn();

        browser.open("/lists?after=zz");
        assertThat(browser.page().select("tbody th a").eachText()).isEqualTo(names.subList(0, 50));

        long before = simulated.calls(Call.Kind.GET);
        browser.open(browser.page().select("a:contains(Next page)").attr("href"));
        assertThat(browser.page().select("tbody th a").eachText()).isEqualTo(names.subList(50, 60));
        assertThat(simulated.calls(Call.Kind.GET) - before).isBetween(160L, 170L);
        assertThat(browser.page().select("a:contains(Next page)")).isEmpty();
        assertThat(browser.page().select("a:contains(First page)").attr("href")).isEqualTo("/lists");

        assertThat(browser.open("/lists?after=zzz").text()).doesNotContain("Create your first list");
    }

    @Test
    void everyMistakeIsToldAtItsField() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/lists/new");

        browser.submit(
                "/lists/new",
                Map.of("name", "no spaces/please", "description", "two\nlines", "fromEmail", "nobody", "replyTo", "@"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("name")).contains("Only alphanumeric characters and underscore (_) are allowed");
        assertThat(browser.errorAt("description")).contains("one line");
        assertThat(browser.errorAt("fromEmail")).contains("in the form name@example.org");
        assertThat(browser.errorAt("replyTo")).contains("in the form name@example.org");
        assertThat(browser.page().select(".summary a").eachAttr("href"))
                .containsExactlyInAnyOrder("#name", "#description", "#fromEmail", "#replyTo");
        assertThat(browser.page().select("[name=name]").attr("aria-invalid")).isEqualTo("true");
    }

    @Test
    void takenNameIsRefused() throws Exception {
        makeList("taken", "First");

        TestBrowser second = makeList("Taken", "Second");

        assertThat(second.errorAt("name")).contains("already exists");
    }

    @Test
    void fieldIsCheckedWhileTheOthersAreStillBeingTyped() throws Exception {
        makeList("live", "First");
        TestBrowser browser = browsers.getObject().signIn().open("/lists/new");
        String token = browser.page().select("[name=_csrf]").attr("value");

        browser.postForged("/lists/check", Map.of("_csrf", token, "field", "name", "name", "live"));

        assertThat(browser.status()).isEqualTo(200);
        assertThat(browser.text()).contains("already exists").doesNotContain("From address");
    }

    @Test
    void e19_secondEditorSeesCurrentValuesAndWinsWithTheNextSave() throws Exception {
        makeList("shared", "Old");
        TestBrowser first = browsers.getObject().signIn().open("/lists/shared/edit");
        TestBrowser second = browsers.getObject().signIn().open("/lists/shared/edit");
        first.submit("/lists/shared/edit", Map.of("description", "First was here"));

        second.submit("/lists/shared/edit", Map.of("description", "Second was here"));

        assertThat(second.text()).contains("The record you attempted to edit was modified by another user");
        assertThat(second.errorAt("description")).isEqualTo("Current value: First was here");
        assertThat(second.errorAt("fromEmail")).isEmpty();
        assertThat(description("shared")).isEqualTo("First was here");

        second.submit("/lists/shared/edit", Map.of());

        assertThat(second.address()).isEqualTo("/lists/shared");
        assertThat(description("shared")).isEqualTo("Second was here");
    }

    @Test
    void r11_aPlanIsChosenShownAndGuardedLikeEveryOtherProperty() throws Exception {
        makeList("planned", "Plans");
        TestBrowser first = browsers.getObject().signIn().open("/lists/planned/edit");
        TestBrowser second = browsers.getObject().signIn().open("/lists/planned/edit");
        first.submit("/lists/planned/edit", Map.of("plan", "fee-paying"));
        assertThat(first.text()).contains("Plan Fee-paying");
        assertThat(plan("planned")).isEqualTo(Plan.FEE_PAYING);

        second.submit("/lists/planned/edit", Map.of("plan", "free"));
        assertThat(second.errorAt("plan")).isEqualTo("Current value: fee-paying");
        assertThat(plan("planned")).isEqualTo(Plan.FEE_PAYING);

        second.submit("/lists/planned/edit", Map.of("plan", "gold"));
        assertThat(second.errorAt("plan")).isEqualTo("Choose a plan.");

        second.submit("/lists/planned/edit", Map.of("plan", "none"));
        assertThat(plan("planned")).isNull();
    }

    @Test
    void aWelcomeEmailIsOffUntilSomebodyTicksItAndGuardedLikeEveryOtherProperty() throws Exception {
        makeList("welcoming", "Welcome");
        assertThat(lists.find(new ListName("welcoming")).orElseThrow().value().welcome())
                .isFalse();
        TestBrowser first = browsers.getObject().signIn().open("/lists/welcoming/edit");
        TestBrowser second = browsers.getObject().signIn().open("/lists/welcoming/edit");
        first.submit("/lists/welcoming/edit", Map.of("welcome", "true"));
        assertThat(first.text()).contains("Welcome email Sent to people who confirm or subscribe");
        assertThat(lists.find(new ListName("welcoming")).orElseThrow().value().welcome())
                .isTrue();

        second.submit("/lists/welcoming/edit", Map.of("description", "Hello"));
        assertThat(second.errorAt("welcome")).isEqualTo("Current value: Yes");
        second.submit("/lists/welcoming/edit", Map.of());
        assertThat(second.text()).doesNotContain("Welcome email");
    }

    @Test
    void r16_limitsAreSetShownAndGuardedLikeEveryOtherProperty() throws Exception {
        makeList("limited", "Limits");
        TestBrowser first = browsers.getObject().signIn().open("/lists/limited/edit");
        TestBrowser second = browsers.getObject().signIn().open("/lists/limited/edit");
        first.submit("/lists/limited/edit", Map.of("minute", "many", "hour", "2000"));
        assertThat(first.errorAt("minute")).startsWith("Emails a minute must be a whole number");

        first.submit("/lists/limited/edit", Map.of("minute", "50"));
        assertThat(first.text()).contains("Limits 50 a minute 2,000 an hour");
        assertThat(limits("limited")).isEqualTo(new Limits(0, 50, 2_000, 0));

        second.submit("/lists/limited/edit", Map.of("minute", "60"));
        assertThat(second.errorAt("minute")).isEqualTo("Current value: 50");
        second.submit("/lists/limited/edit", Map.of("minute", "", "hour", ""));
        assertThat(second.text()).doesNotContain("a minute");
        assertThat(limits("limited")).isEqualTo(Limits.NONE);
    }

    @Test
    void r16_emailsThatWaitForTheListsLimitGoOnWhenItIsRaised() throws Exception {
        BooleanSupplier waits = messages.waiting(
                "page_waits", time.instant().plus(Duration.ofHours(1)), "the limit of the list is reached");
        assertThat(waits.getAsBoolean()).isTrue();

        browsers.getObject()
                .signIn()
                .open("/lists/page_waits/edit")
                .submit("/lists/page_waits/edit", Map.of("minute", "50"));

        assertThat(waits.getAsBoolean()).isFalse();
    }

    private Limits limits(String list) {
        return lists.find(new ListName(list)).orElseThrow().value().limits();
    }

    private @Nullable Plan plan(String list) {
        return lists.find(new ListName(list)).orElseThrow().value().plan();
    }

    @Test
    void defect13_listThatIsBeingDeletedIsToldAndNothingSaved() throws Exception {
        makeList("going", "Old");
        TestBrowser browser = browsers.getObject().signIn().open("/lists/going/edit");
        lists.markDeleting(new ListName("going"));

        browser.submit("/lists/going/edit", Map.of("description", "Too late"));

        assertThat(browser.address()).isEqualTo("/lists/going");
        assertThat(browser.page().select(".alarm").text()).contains("being deleted");
        assertThat(lists.find(new ListName("going")).orElseThrow().value().description())
                .isEqualTo("Old");
        assertThat(browser.open("/lists/going/edit").address()).isEqualTo("/lists/going");
    }

    @Test
    void defect13_listDeletedMeanwhileIsToldAndNothingSaved() throws Exception {
        makeList("leaving", "Old");
        TestBrowser browser = browsers.getObject().signIn().open("/lists/leaving/edit");
        lists.markDeleting(new ListName("leaving"));
        lists.remove(new ListName("leaving"));

        browser.submit("/lists/leaving/edit", Map.of("description", "Too late"));

        assertThat(browser.status()).isEqualTo(404);
        assertThat(browser.text()).contains("There is no list leaving");
        assertThat(lists.find(new ListName("leaving"))).isEmpty();
    }

    @Test
    void deletingAsksFirst() throws Exception {
        makeList("doomed", "Old");
        TestBrowser browser = browsers.getObject().signIn().open("/lists/doomed/delete");
        assertThat(browser.text()).contains("Delete the list doomed?", "You cannot undo this");
        assertThat(lists.findActive(new ListName("doomed"))).isPresent();

        browser.submit("/lists/doomed/delete", Map.of());

        assertThat(lists.findActive(new ListName("doomed"))).isEmpty();
    }

    @Test
    void sampleListsAreLoadedWithOneClick() throws Exception {
        lists.all().forEach(list -> {
            lists.markDeleting(list.name());
            lists.remove(list.name());
        });
        TestBrowser browser = browsers.getObject().signIn().open("/lists");
        assertThat(browser.text()).contains("Create your first list");

        browser.submit("/lists/samples", Map.of());

        assertThat(browser.text())
                .contains("contoso1", "Contoso University History Department announcements", "fabrikam1");
        assertThat(browser.open("/lists/contoso1").text()).contains("Unconfirmed 1 Subscribed 1");
    }

    @Test
    void unknownListIsAFriendlyPage() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/lists/nobody");
        assertThat(browser.status()).isEqualTo(404);
        assertThat(browser.text()).contains("There is no list nobody");

        assertThat(browser.open("/lists/no%20name").status()).isEqualTo(404);
    }

    private TestBrowser makeList(String name, String description) throws Exception {
        return browsers.getObject()
                .signIn()
                .open("/lists/new")
                .submit(
                        "/lists/new",
                        Map.of("name", name, "description", description, "fromEmail", "news@example.org"));
    }

    private String description(String name) {
        return lists.findActive(new ListName(name))
                .map(MailingList::description)
                .orElse("");
    }
}
