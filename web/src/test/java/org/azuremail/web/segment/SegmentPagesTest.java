package org.azuremail.web.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.SetJob;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.segment.RuleJson;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests segments without scripts. The first two lines of a form are sent as one field with a comma. */
@PageTest
class SegmentPagesTest {

    private static final ListName LIST = new ListName("segmented");
    private static final ListName OTHER = new ListName("other_list");
    private static final String NOBODY_ELSE = "{\"what\":\"address\",\"test\":\"is\",\"value\":\"p1@example.org\"}";

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    SegmentStore segments;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    ManualTime time;

    @Autowired
    Segments rules;

    @Autowired
    FieldStore fields;

    @Autowired
    Storage storage;

    @Autowired
    IdSource ids;

    @Autowired
    List<SetJob<?, ?>> functions;

    @BeforeEach
    void twoListsWithPeople() {
        for (ListName list : new ListName[] {LIST, OTHER}) {
            lists.create(MailingList.of(
                    list, "", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        }
        IntStream.range(0, 12).forEach(i -> add(LIST, "p" + i + "@example.org", i > 0));
        add(OTHER, "p1@example.org", true);
        segments.deleteAll(LIST, gone -> true);
    }

    private void add(ListName list, String address, boolean verified) {
        subscriptions.adminAdd(
                list, EmailAddress.parse(address).orElseThrow(), Profile.NONE, verified, Origin.admin("test"));
    }

    @Test
    void aSegmentIsBuiltLineByLineAndSaved() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/segments/new?list=" + LIST);
        Map<String, String> typed = Map.of("name", "Some", "description", "People with a 1");

        browser.submit("/segments", with(typed, "group:0"));
        assertThat(browser.page().select("fieldset.rule")).hasSize(4);
        assertThat(browser.page().select("[name=name]").attr("value")).isEqualTo("Some");
        browser.submit("/segments", with(typed, "remove:2"));
        assertThat(browser.page().select("fieldset.rule")).hasSize(2);
        browser.submit("/segments", with(typed, "save"));
        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.page().select(".summary a[href=#rule-1]").text()).isEqualTo("Enter a value.");

        browser.submit("/segments", Map.of("name", "Some", "value", ",p1", "act", "save"));

        assertThat(browser.address()).isEqualTo("/segments/segmented/some");
        assertThat(browser.text()).contains("3 people", "3 of them get messages.", "p10@example.org");
        assertThat(browser.open(browser.page().select("a.address").attr("href")).status())
                .isEqualTo(200);
        assertThat(browser.open("/segments").text()).contains("People with a 1", "segmented");
        browser.open("/segments/segmented/some/delete").submit("/segments/segmented/some/delete", Map.of());
        assertThat(browser.text()).contains("The segment People with a 1 is deleted");
    }

    private static Map<String, String> with(Map<String, String> typed, String act) {
        return Map.of("name", typed.get("name"), "description", typed.get("description"), "act", act);
    }

    @Test
    void rulesAreTheSameAfterTheFormWasSavedUnchanged() throws Exception {
        MailingList list = MailingList.of(
                new ListName("typed"),
                "",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant());
        lists.create(list);
        fields.save(
                list,
                ListFields.NONE
                        .with(new Field("vip", "VIP", FieldType.YES_NO, List.of(), false, false))
                        .with(new Field("plan", "Plan", FieldType.CHOICE, List.of("Free", "Paid"), false, false)),
                "");
        String deep = "{\"any\":[{\"any\":[{\"any\":[{\"none\":[%s]}]}]}]}".formatted(NOBODY_ELSE);
        String typed = String.join(",", Collections.nCopies(46, deep)) + """
                ,{"what":"field","field":"vip","test":"is","value":"false"},
                {"what":"field","field":"plan","test":"is-not","value":"PAID"},
                {"what":"joined","test":"after","value":"1 March 2026"}""";
        SegmentName name = new SegmentName("odd");
        assertThat(rules.save(
                        list,
                        name,
                        "",
                        RuleJson.read("{\"all\":[" + typed + "]}").rule(),
                        null))
                .isInstanceOf(Segments.SegmentSaveResult.Done.class);
        String saved = segments.find(list.name(), name).orElseThrow().value().rules();
        TestBrowser browser = browsers.getObject().signIn().open("/segments/typed/odd");

        browser.submit("/segments", Map.of("description", "Another description"));

        assertThat(browser.text()).contains("is saved");
        assertThat(segments.find(list.name(), name).orElseThrow().value())
                .isEqualTo(new Segment(list.name(), name, "Another description", saved));
        assertThat(saved).contains("\"no\"", "\"Paid\"", "\"2026-03-01\"");
    }

    @Test
    void aStoredChoiceThatIsGoneIsStillShown() throws Exception {
        segments.insert(new Segment(LIST, new SegmentName("one"), "", NOBODY_ELSE));
        segments.insert(new Segment(LIST, new SegmentName("gone"), "", """
                {"all":[{"what":"field","field":"city","test":"is","value":"Ulm"},
                {"what":"segment","test":"in","value":"forgotten"},{"what":"name","test":"less","value":"5"}]}"""));

        TestBrowser browser = browsers.getObject().signIn().open("/segments/segmented/gone");

        assertThat(browser.page().select(".rule option[selected]").eachAttr("value"))
                .containsExactly("all", "field:city", "is", "segment", "in", "forgotten", "name", "less");
        assertThat(browser.text()).contains("The list has no field “city”.");
    }

    @Test
    void aTestThatDoesNotFitItsNewSubjectIsReplacedByOneThatDoes() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/segments/new?list=" + LIST);

        browser.submit("/segments", Map.of("what", ",state", "act", "refresh"));

        assertThat(browser.page().select("select[name=test] option").eachText()).containsExactly("is", "is not");
        assertThat(browser.page().select("select[name=value] option").eachText())
                .containsExactly("Unconfirmed", "Subscribed", "Unsubscribed", "Suppressed");
        assertThat(browser.text()).contains("1 person");
    }

    @Test
    void aFieldThatNoListCanHaveIsAFaultOfItsLine() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/segments/new?list=" + LIST);

        browser.submit("/segments", Map.of("what", ",field:No field", "act", "refresh"));

        assertThat(browser.text()).contains("The list has no field “No field”.");
    }

    /** The list counts as large because one of its many shards has more people than a page reads of it. */
    @Test
    void onALargeListTypedRulesAreCountedByAJobAndNotMixedUpWithTheSavedOnes() throws Exception {
        MailingList large = Lists.with(
                MailingList.of(
                        new ListName("large"),
                        "",
                        new Mailbox(new EmailAddress("a@example.org"), ""),
                        OptIn.DOUBLE,
                        time.instant()),
                "shards",
                400);
        lists.create(large);
        addresses("rare", large).limit(1).forEach(address -> add(large.name(), address, true));
        addresses("many", large).limit(21).forEach(address -> add(large.name(), address, true));
        String rare = addresses("rare", large).findFirst().orElseThrow();
        TestBrowser browser = browsers.getObject().signIn().open("/segments/new?list=large");
        browser.submit("/segments", Map.of("name", "Rare", "value", ",rare", "act", "refresh"));
        assertThat(browser.text()).contains("The list is large").doesNotContain(rare, "Counted");

        browser.submit("/segments", Map.of("act", "count"));
        assertThat(browser.text()).contains("being counted").doesNotContain("The list is large");
        finishJobs();
        browser.submit("/segments", Map.of("act", "refresh"));

        assertThat(browser.text()).contains("1 person", "Counted", rare).doesNotContain("being counted");
        assertThat(browser.page().select("[name=name]").attr("value")).isEqualTo("Rare");

        browser.submit("/segments", Map.of("act", "save"));
        assertThat(browser.text()).contains("being counted");
        finishJobs();
        assertThat(browser.open("/segments/large/rare").text())
                .contains("1 person", "Counted", rare)
                .doesNotContain("earlier rules", "Count these rules");
        browser.submit("/segments", Map.of("value", ",many", "act", "refresh"));
        assertThat(browser.text()).contains("1 person", "Counted with earlier rules", "Count these rules");
    }

    /** Returns addresses in the first shard. */
    private static Stream<String> addresses(String name, MailingList list) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + i + "@example.org")
                .filter(address -> list.shardOf(new EmailAddress(address)) == 0);
    }

    private void finishJobs() {
        InlineJobs process = new InlineJobs(storage, time, ids, () -> functions);
        process.jobs().latest(20, null).items().forEach(job -> process.finish(job.id()));
    }

    @Test
    void aMessageGoesToASegmentAndThatIsInUseUntilThen() throws Exception {
        segments.insert(new Segment(LIST, new SegmentName("one"), "", NOBODY_ELSE));
        segments.insert(new Segment(LIST, new SegmentName("both"), "", """
                {"what":"segment","test":"in","value":"one"}"""));
        TestBrowser browser = browsers.getObject().signIn().writingMarkdown().open("/messages/new?list=segmented/one");
        String form = browser.page().getElementById("composer").attr("action");

        browser.submit(form, Map.of("subject", "To one", "markdown", "Hello", "act", "NEXT"));

        assertThat(browser.page().select("#list option[selected]").attr("value"))
                .isEqualTo("segmented/one");
        assertThat(browser.page().getElementById("audience-people").text()).isEqualTo("1 person");
        browser.submit(form, Map.of("also", "other_list", "act", "NEXT"));
        assertThat(browser.errorAt("list")).contains("A segment cannot be combined with other lists");
        browser.open(form + "/recipients").submit(form, Map.of("act", "NEXT"));
        assertThat(browser.text()).contains("one, segment of segmented", "Send to 1 person");
        assertThat(browser.open("/segments/segmented/one/delete").text())
                .contains("This segment is in use", "To one", "both");
        assertThat(browser.open("/messages?tab=drafts").text()).contains("one, segment of segmented");
        browser.open(form).submit(form, Map.of("subject", "To one person", "act", "NEXT"));
        assertThat(browser.open(form.replace("/edit", "/review")).text()).contains("one, segment of segmented");
    }

    /** The segment contains nobody, so the message would fail. */
    @Test
    void aMessageToABrokenSegmentSaysSoBeforeItIsSent() throws Exception {
        segments.insert(new Segment(LIST, new SegmentName("odd"), "", """
                {"what":"field","field":"city","test":"is","value":"Ulm"}"""));
        TestBrowser browser = browsers.getObject().signIn().writingMarkdown().open("/messages/new?list=segmented/odd");
        String form = browser.page().getElementById("composer").attr("action");

        browser.submit(form, Map.of("subject", "To Ulm", "markdown", "Hello", "act", "NEXT"));
        assertThat(browser.page().getElementById("audience-people").text()).isEqualTo("nobody yet");
        browser.submit(form, Map.of("act", "NEXT"));

        assertThat(browser.text())
                .contains("the rules of the segment odd cannot be applied: The list has no field “city”.")
                .doesNotContain("Send to");
    }

    @Test
    void aMessageGoesToSeveralLists() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().writingMarkdown().open("/messages/new?list=" + LIST);
        String form = browser.page().getElementById("composer").attr("action");
        browser.submit(form, Map.of("subject", "To all", "markdown", "Hello", "act", "NEXT"));

        browser.submit(form, Map.of("also", "other_list", "act", "NEXT"));

        assertThat(browser.text()).contains("segmented, other_list", "Send to up to 12 people");
        assertThat(browser.open(form + "/recipients")
                        .page()
                        .select("[name=also] option[selected]")
                        .eachAttr("value"))
                .containsExactly("other_list");
    }

    /** The first list that contains an address counts, so an admin chooses their order. */
    @Test
    void theOrderOfTheListsIsChosenAndTheFirstOneIsNotOfferedAgain() throws Exception {
        lists.create(MailingList.of(
                new ListName("a_third_list"),
                "",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        TestBrowser browser = browsers.getObject().signIn().writingMarkdown().open("/messages/new?list=" + LIST);
        String form = browser.page().getElementById("composer").attr("action");
        browser.submit(form, Map.of("subject", "In order", "markdown", "Hello", "act", "NEXT"));
        assertThat(browser.page().select("#also-0 option").eachAttr("value"))
                .contains("", "other_list", "a_third_list")
                .doesNotContain(LIST.value());

        browser.submit(form, Map.of("also", "other_list,a_third_list", "act", "NEXT"));

        assertThat(browser.text()).contains("segmented, other_list, a_third_list");
        browser.open(form + "/recipients").submit(form, Map.of("also", "a_third_list,other_list", "act", "NEXT"));
        assertThat(browser.text()).contains("segmented, a_third_list, other_list");
        browser.open(form + "/recipients").submit(form, Map.of("list", "other_list", "act", "NEXT"));
        assertThat(browser.text()).contains("other_list, a_third_list");
    }
}
