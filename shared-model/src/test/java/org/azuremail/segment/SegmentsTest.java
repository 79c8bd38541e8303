package org.azuremail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.content.ContentProperties;
import org.azuremail.content.MessageBodies;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.gallery.Gallery;
import org.azuremail.id.CompactIds;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.ManualTime;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;

/** Which rules are taken, and whom they mean. */
class SegmentsTest {

    private static final ListName LIST = new ListName("readers");
    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

    private final ManualTime time = ManualTime.thatSleepsByItself();
    private final Storage storage = new SimulatedStorage(time, 7).storage();
    private final SegmentStore store = new SegmentStore(storage.tables());
    private final DeliveryStore deliveries = new DeliveryStore(storage.tables(), DeliveryLimits.SHARED);
    private Segments segments;
    private PeopleFilters filters;
    private Messages messages;
    private MailingList list;

    @BeforeEach
    void aListWithFields() {
        storage.tables().createTable(ListStore.TABLE);
        ListStore lists = new ListStore(storage.tables());
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        list = MailingList.of(LIST, "Readers", from, OptIn.DOUBLE, time.instant())
                .withShards(1);
        lists.create(list);
        FieldStore fields = new FieldStore(storage.tables(), lists, time);
        ListFields typed = ListFields.NONE
                .with(Field.text("city"))
                .with(new Field("score", "Score", FieldType.NUMBER, List.of(), false, false))
                .with(new Field("since", "Since", FieldType.DATE, List.of(), false, false))
                .with(new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), false, false))
                .with(new Field("vip", "VIP", FieldType.YES_NO, List.of(), false, false))
                .with(new Field("plan", "Plan", FieldType.CHOICE, List.of("Free", "Paid"), false, false));
        fields.save(list, typed, "");
        list = lists.findActive(LIST).orElseThrow();
        messages = new Messages(
                new MessageStore(storage.tables()),
                new MessageBlobs(storage.blobs()),
                lists,
                store,
                new MessageBodies(new ContentProperties(DataSize.ofMegabytes(5))),
                new Gallery(storage.tables(), URI.create("http://localhost")),
                new CompactIds(storage),
                Signals.NONE,
                time);
        segments = new Segments(store, lists, fields, messages);
        filters = new PeopleFilters(fields, deliveries);
    }

    /** Ann lives in Berlin and joined by a form; Bob has no value at all and was imported long ago. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "field city is | berlin | ann",
                "field city is-not | Berlin | bob",
                "field city contains | ERL | ann",
                "field city begins-with | ber | ann",
                "field city ends-with | lin | ann",
                "field city is-empty | | bob",
                "field city is-not-empty | | ann",
                "field score is | 7.50 | ann",
                "field score greater | 7 | ann",
                "field score greater | 10 | ''",
                "field score less | 10 | ann",
                "field score is-not | 7.5 | bob",
                "field since before | 2024-02-01 | ann",
                "field since after | 31 January 2024 | ''",
                "field since is | 2024-01-31 | ann",
                "field birthday is | 29 February | ann",
                "field birthday after | 02-28 | ann",
                "field birthday before | 03-01 | ann",
                "field vip is | true | ann",
                "field plan is | PAID | ann",
                "field plan is-not | Free | ann bob",
                "name is | ann | ann",
                "name is-empty | | bob",
                "address ends-with | @EXAMPLE.org | ann",
                "address is-not | ann@example.org | bob",
                "state is | subscribed | ann",
                "state is-not | subscribed | bob",
                "joined after | 2026-03-01 | ann",
                "joined before | 2026-03-01 | bob",
                "joined in-last-days | 3 | ann",
                "joined in-last-days | 1 | ''",
                "source is | form | ann",
                "source is | import | bob"
            })
    void aTestMeansThosePeople(String test, String value, String meant) {
        String[] words = test.strip().split(" ");
        String json =
                words.length == 3 ? test("field", words[1], words[2], value) : test(words[0], null, words[1], value);
        assertThat(meant(json)).isEqualTo(meant.strip());
    }

    @Test
    void groupsAndOtherSegmentsAreJoined() {
        String ann = test("name", null, "is", "Ann");
        String bob = test("name", null, "is-empty", null);
        assertThat(meant("{\"any\": [" + ann + "," + bob + "]}")).isEqualTo("ann bob");
        assertThat(meant("{\"all\": [" + ann + "," + bob + "]}")).isEmpty();
        assertThat(meant("{\"none\": [" + ann + "]}")).isEqualTo("bob");
        save("anns", ann);
        assertThat(meant(test("segment", null, "in", "anns"))).isEqualTo("ann");
        assertThat(meant("{\"all\": [" + test("segment", null, "not-in", "anns") + "]}"))
                .isEqualTo("bob");
    }

    @Test
    void theOutcomeOfAnEarlierMessageIsReadAlong() {
        Message earlier = message();
        Recipient ann = new Recipient(
                LIST,
                new EmailAddress("ann@example.org"),
                "",
                person("ann", true).guid(),
                Map.of(),
                0,
                0,
                null);
        archive(earlier, ann, Outcome.SENT);
        Recipient bob = new Recipient(
                LIST,
                new EmailAddress("bob@example.net"),
                "",
                person("bob", false).guid(),
                Map.of(),
                0,
                0,
                null);
        archive(earlier, bob, Outcome.FAILED);
        String ref = earlier.ref().toString();
        assertThat(meant(test("message", null, "sent", ref))).isEqualTo("ann");
        assertThat(meant(test("message", null, "not-sent", ref))).isEqualTo("bob");
        assertThat(meant(test("message", null, "bounced", ref))).isEmpty();
        assertThat(meant(test("message", null, "complained", ref))).isEmpty();
    }

    @Test
    void anEarlierMessageBouncedOrWasMarkedAsSpam() {
        Message earlier = message();
        archive(earlier, "ann", new Feedback(Feedback.Kind.SOFT_BOUNCE, NOW, "4.2.2", "full", Feedback.EVENTS));
        archive(earlier, "bob", new Feedback(Feedback.Kind.COMPLAINT, NOW, "", "", Feedback.EVENTS));
        String ref = earlier.ref().toString();
        assertThat(meant(test("message", null, "bounced", ref))).isEqualTo("ann");
        assertThat(meant(test("message", null, "complained", ref))).isEqualTo("bob");
        assertThat(meant(test("message", null, "sent", ref))).isEqualTo("ann bob");
        assertThat(codes(test("message", null, "greater", ref))).containsExactly("RULES_WORD");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | '' | RULES_SHAPE",
                "{\"all\": [], \"any\": []} | '' | RULES_SHAPE",
                "{\"all\": [{}]} | /all/0 | RULES_SHAPE",
                "{\"all\": []} | '' | RULES_GROUP_EMPTY",
                "{\"what\": \"name\", \"what\": \"name\"} | '' | RULES_NOT_JSON",
                "{} {} | '' | RULES_NOT_JSON",
                "{\"what\": \"name\", \"test\": \"is\", \"value\": 5} | /value | RULES_VALUE_MISSING",
                "{\"what\": \"name\", \"test\": \"is\", \"value\": \" \"} | /value | RULES_VALUE_MISSING",
                "{\"what\": \"name\", \"test\": \"is\", \"value\": \"a\", \"x\": 1} | /x | RULES_KEY",
                "{\"what\": \"name\", \"test\": \"is-empty\", \"value\": \"a\"} | /value | RULES_KEY",
                "{\"what\": \"name\", \"field\": \"a\", \"test\": \"is-empty\"} | /field | RULES_KEY",
                "{\"what\": \"shoe\", \"test\": \"is-empty\"} | /what | RULES_WORD",
                "{\"what\": \"name\", \"test\": \"greater\", \"value\": \"1\"} | /test | RULES_WORD",
                "{\"what\": \"field\", \"field\": \"shoe\", \"test\": \"is-empty\"} | /field | RULES_FIELD_UNKNOWN",
                "{\"any\": [{\"what\": \"field\", \"field\": \"score\", \"test\": \"is\", \"value\": \"x\"}]} | /any/0/value | RULES_VALUE",
                "{\"what\": \"field\", \"field\": \"birthday\", \"test\": \"is\", \"value\": \"30 February\"} | /value | RULES_VALUE",
                "{\"what\": \"joined\", \"test\": \"before\", \"value\": \"soon\"} | /value | RULES_DATE",
                "{\"what\": \"joined\", \"test\": \"in-last-days\", \"value\": \"9999\"} | /value | RULES_DAYS",
                "{\"what\": \"state\", \"test\": \"is\", \"value\": \"happy\"} | /value | RULES_WORD",
                "{\"what\": \"message\", \"test\": \"sent\", \"value\": \"77\"} | '' | RULES_MESSAGE_UNKNOWN",
                "{\"none\": [{\"what\": \"segment\", \"test\": \"in\", \"value\": \"../x\"}]} | /none/0 | RULES_SEGMENT_UNKNOWN"
            })
    void whatMeansNothingIsRefusedWithItsPlace(String json, String pointer, String code) {
        List<RuleJson.Fault> faults = faults(json);
        assertThat(faults).extracting(RuleJson.Fault::pointer).first().isEqualTo(pointer);
        assertThat(faults).extracting(fault -> fault.reason().code()).first().isEqualTo(code);
        assertThat(faults)
                .allSatisfy(fault -> assertThat(fault.reason().words()).isNotBlank());
    }

    @Test
    void whatIsTooMuchIsRefused() {
        String ann = test("name", null, "is", "Ann");
        assertThat(codes("{\"all\": [".repeat(6) + ann + "]}".repeat(6))).containsExactly("RULES_DEEP");
        assertThat(codes("{\"all\": [".repeat(4000) + ann + "]}".repeat(4000))).hasSize(1);
        assertThat(codes(group(51, ann))).containsExactly("RULES_MANY");
        assertThat(codes(group(20, test("name", null, "is", "x".repeat(900))))).containsExactly("RULES_LONG");
        save("forty", group(40, ann));
        save("eighty", group(2, test("segment", null, "in", "forty")));
        save("many", group(2, test("segment", null, "in", "eighty")));
        assertThat(codes(group(3, test("segment", null, "in", "eighty")))).containsExactly("RULES_MANY");
        List<String> refs = IntStream.range(0, 6)
                .mapToObj(i -> test("message", null, "sent", message().ref().toString()))
                .toList();
        assertThat(codes("{\"all\": [" + String.join(",", refs) + "]}")).containsExactly("RULES_MESSAGES");
    }

    /** Also one that two changes at the same time have closed: it is found when the message is due. */
    @Test
    void segmentsThatUseEachOtherAreRefused() {
        save("one", test("name", null, "is", "Ann"));
        save("two", test("segment", null, "in", "one"));
        assertThat(saving("one", test("segment", null, "in", "two")))
                .isInstanceOfSatisfying(Segments.Saving.Refused.class, refused -> assertThat(refused.faults())
                        .extracting(fault -> fault.reason().code())
                        .containsExactly("RULES_CYCLE"));
        assertThat(saving("three", test("segment", null, "in", "three"))).isInstanceOf(Segments.Saving.Refused.class);
        Versioned<Segment> one = store.find(LIST, new SegmentName("one")).orElseThrow();
        store.replace(new Segment(LIST, one.value().name(), "", test("segment", null, "in", "two")), one.etag());
        assertThat(segments.rules(LIST, new SegmentName("two"))).isEmpty();
    }

    @Test
    void rulesReadAgainAreTheSame() {
        String json = "{\"any\":[" + test("field", "city", "is", "Köln \uD83D\uDE00") + ",{\"none\":["
                + test("name", null, "is-empty", null) + "]}]}";
        Rule rule = RuleJson.read(json).rule();
        assertThat(RuleJson.read(RuleJson.text(rule)).rule()).isEqualTo(rule);
    }

    /** A named message that was deleted before it was sent keeps no other from going out. */
    @Test
    void aMessageThatWasDeletedSinceWasSentToNobody() {
        Message earlier = message();
        save("late", test("message", null, "not-sent", earlier.ref().toString()));
        messages.delete(earlier.ref());
        assertThat(segments.rules(LIST, new SegmentName("late"))).isPresent();
    }

    @Test
    void peopleAreCountedForWhoeverAsksAndTheCountSaysByWhichRules() {
        save("some", test("name", null, "is", "Ann"));
        Segment segment =
                store.find(LIST, new SegmentName("some")).orElseThrow().value();
        ListStore lists = new ListStore(storage.tables());
        InlineJobs process = new InlineJobs(storage, time, new SeededIds(1), List::of);
        PeopleJobs parameters = new PeopleJobs(segments, new SubscriptionStore(storage.tables()));
        SegmentCounts counts = new SegmentCounts(lists, parameters, process.jobs(), storage.tables(), time);
        assertThat(counts.latest(segment)).isEmpty();
        assertThat(counts.wanted(segment)).isTrue();
        counts.ask(segment, "ada");
        assertThat(process.jobs().latest(10, null).items()).as("asked again").hasSize(1);
        String job = process.jobs().latest(10, null).items().get(0).id();

        SegmentCounts.Counted newer = new SegmentCounts.Counted(5, 4, NOW, true);
        counts.counted(LIST, segment.name(), newer, segment.rules());
        counts.counted(LIST, segment.name(), new SegmentCounts.Counted(7, 7, NOW.minusSeconds(1), true), "");
        process.jobs().cancel(job, "ada");

        assertThat(counts.find(segment)).contains(newer);
        assertThat(counts.wanted(segment)).isFalse();
        save("some", test("name", null, "is", "Bob"));
        Segment changed =
                store.find(LIST, new SegmentName("some")).orElseThrow().value();
        assertThat(counts.find(changed))
                .hasValueSatisfying(last -> assertThat(last.current()).isFalse());
        lists.markDeleting(LIST);
        counts.ask(changed, "");
        assertThat(counts.find(changed)).isEmpty();
    }

    private String meant(String json) {
        Segments.Resolved resolved =
                segments.resolve(list, null, RuleJson.read(json).rule());
        assertThat(resolved.faults()).isEmpty();
        List<Subscriber> people = List.of(person("ann", true), person("bob", false));
        return filters.of(resolved.rule(), list, NOW, ZoneOffset.UTC).of(people, 0).stream()
                .map(person -> person.address().value().split("@")[0])
                .collect(Collectors.joining(" "));
    }

    private List<String> codes(String json) {
        return faults(json).stream().map(fault -> fault.reason().code()).toList();
    }

    private List<RuleJson.Fault> faults(String json) {
        RuleJson.Read read = RuleJson.read(json);
        return read.rule() == null
                ? read.faults()
                : segments.resolve(list, null, read.rule()).faults();
    }

    private void save(String name, String json) {
        assertThat(saving(name, json)).isInstanceOf(Segments.Saving.Done.class);
    }

    private Segments.Saving saving(String name, String json) {
        SegmentName segment = new SegmentName(name);
        String etag = store.find(LIST, segment).map(Versioned::etag).orElse(null);
        return segments.save(list, segment, "", RuleJson.read(json).rule(), etag);
    }

    private Message message() {
        Messages.Creation made = messages.create(new Messages.NewMessage(
                LIST,
                Draft.of("News", "<p>News</p>", null),
                new Schedule(time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "ann"));
        return ((Messages.Creation.Created) made).message();
    }

    private void archive(Message earlier, String name, Feedback told) {
        Subscriber person = person(name, name.equals("ann"));
        Recipient to = new Recipient(LIST, person.address(), "", person.guid(), Map.of(), 0, 0, null);
        Recorded recorded =
                new Recorded(to.rowKey(), Outcome.SENT, 0, NOW, "", to.toValues(earlier, "news@example.org"));
        new OutcomeArchive(storage.tables(), DeliveryLimits.SHARED)
                .record(new ShardKey(earlier.ref(), 0), List.of(recorded.known(0, NOW, "", told)));
    }

    private void archive(Message earlier, Recipient to, Outcome outcome) {
        Recorded recorded = new Recorded(to.rowKey(), outcome, 0, NOW, "", to.toValues(earlier, "news@example.org"));
        new OutcomeArchive(storage.tables(), DeliveryLimits.SHARED)
                .record(new ShardKey(earlier.ref(), 0), List.of(recorded));
    }

    private static Subscriber person(String name, boolean known) {
        Instant joined = known ? NOW.minusSeconds(2 * 86_400) : Instant.parse("2020-01-01T00:00:00Z");
        Origin.How how = known ? Origin.How.FORM : Origin.How.IMPORT;
        Origin origin = new Origin(how, name, null, null);
        Map<String, String> values = Map.of(
                "city", "Berlin",
                "score", "7.5",
                "since", "2024-01-31",
                "birthday", "2000-02-29",
                "vip", "yes",
                "plan", "Paid");
        return new Subscriber(
                LIST,
                new EmailAddress(name + (known ? "@example.org" : "@example.net")),
                new SubscriberGuid("0." + "0".repeat(22)),
                known ? SubscriberState.SUBSCRIBED : SubscriberState.UNCONFIRMED,
                new Profile(known ? "Ann" : "", known ? values : Map.of()),
                joined,
                Consent.of(Declaration.of(Declaration.Kind.ADDED, joined, origin)),
                Bookkeeping.NONE);
    }

    private static String group(int times, String rule) {
        return "{\"all\":[" + String.join(",", java.util.Collections.nCopies(times, rule)) + "]}";
    }

    private static String test(String what, String field, String test, String value) {
        return "{\"what\":\"" + what + "\""
                + Optional.ofNullable(field)
                        .map(name -> ",\"field\":\"" + name + "\"")
                        .orElse("")
                + ",\"test\":\"" + test + "\""
                + Optional.ofNullable(value)
                        .map(text -> ",\"value\":\"" + text + "\"")
                        .orElse("")
                + "}";
    }
}
