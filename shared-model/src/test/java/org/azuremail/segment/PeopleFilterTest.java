package org.azuremail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks which people match rules. */
class PeopleFilterTest extends OnSegments {

    /** Ann lives in Berlin and subscribed by a form; Bob has no values and was imported long ago. */
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
                "field score greater | 7.5 | ''",
                "field score less | 10 | ann",
                "field score less | 7.5 | ''",
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
                "joined in-last-days | ٣ | ann",
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

    /**
     * The lower case of a capital Σ depends on its place in the word, and that of İ is two characters. A letter and its
     * accent may be one character or two.
     */
    @ParameterizedTest
    @CsvSource({
        "begins-with, ΑΣ, Αστυπάλαια",
        "begins-with, ας, ΑΣΤΥΠΆΛΑΙΑ",
        "contains, ΡΟΣ, ΠΆΡΟΣΑ",
        "is, νάξος, ΝΆΞΟΣ",
        "is, istanbul, İstanbul",
        "ends-with, İZMİR, izmir",
        "is, STRAßE, straße",
        "is, m\u00fcnchen, Mu\u0308nchen",
        "begins-with, Mu\u0308n, m\u00fcnchen",
        "contains, \u1ebf, Hue\u0302\u0301",
        "is, I\u0307zmir, \u0130ZM\u0130R"
    })
    void upperAndLowerCaseDoNotMatterInAnyScript(String op, String value, String city) {
        Subscriber ann = person("ann", true).withProfile(new Profile("Ann", Map.of("city", city)));
        Rule rule = segments.resolve(
                        list,
                        null,
                        RuleJson.read(test("field", "city", op, value)).rule())
                .rule();

        assertThat(filters.of(rule, list, NOW, ZoneOffset.UTC).of(List.of(ann), 0))
                .containsExactly(ann);
    }

    /** The values of people are converted later. */
    @Test
    void aFormerMonthAndDayIsNoDateOfTheYearInWhichItWasStored() {
        Versioned<ListFields> before = fields.find(list);
        Field date = new Field("birthday", "Birthday", FieldType.DATE, List.of(), false, false);
        fields.save(list, before.value().with(date), before.etag());

        assertThat(meant(test("field", "birthday", "before", "2001-01-01"))).isEmpty();
        assertThat(meant(test("field", "birthday", "is-not-empty", null))).isEqualTo("ann");
    }

    @Test
    void groupsAndOtherSegmentsAreCombined() {
        String ann = test("name", null, "is", "Ann");
        String bob = test("name", null, "is-empty", null);
        assertThat(meant("{\"any\": [" + ann + "," + bob + "]}")).isEqualTo("ann bob");
        assertThat(meant("{\"any\": [" + bob + "," + bob + "]}")).isEqualTo("bob");
        assertThat(meant("{\"all\": [" + ann + "," + bob + "]}")).isEmpty();
        assertThat(meant("{\"all\": [" + ann + "," + ann + "]}")).isEqualTo("ann");
        assertThat(meant("{\"none\": [" + ann + "," + bob + "]}")).isEmpty();
        assertThat(meant("{\"none\": [" + ann + "]}")).isEqualTo("bob");
        save("anns", ann);
        assertThat(meant(test("segment", null, "in", "anns"))).isEqualTo("ann");
        assertThat(meant("{\"all\": [" + test("segment", null, "not-in", "anns") + "]}"))
                .isEqualTo("bob");
    }

    @Test
    void peopleMatchByTheOutcomeOfAnEarlierMessage() {
        Message earlier = message();
        Recipient ann = new Recipient(
                LIST,
                new EmailAddress("ann@example.org"),
                "",
                person("ann", true).guid(),
                Map.of(),
                0,
                0,
                Range.Delay.NONE);
        archive(earlier, ann, Outcome.SENT);
        Recipient bob = new Recipient(
                LIST,
                new EmailAddress("bob@example.net"),
                "",
                person("bob", false).guid(),
                Map.of(),
                0,
                0,
                Range.Delay.NONE);
        archive(earlier, bob, Outcome.FAILED);
        String ref = earlier.ref().toString();
        assertThat(meant(test("message", null, "sent", ref))).isEqualTo("ann");
        assertThat(meant(test("message", null, "not-sent", ref))).isEqualTo("bob");
        assertThat(meant(test("message", null, "bounced", ref))).isEmpty();
        assertThat(meant(test("message", null, "complained", ref))).isEmpty();
    }

    @Test
    void outcomesOfPeopleWhoLeftSinceHideNobodysOutcome() {
        Message earlier = message();
        List<RecordedOutcome> left = IntStream.range(0, 1100)
                .mapToObj(i -> sent(earlier, new EmailAddress("anna%04d@example.org".formatted(i))))
                .toList();
        OutcomeArchive archive = new OutcomeArchive(storage.tables(), DeliveryLimits.SHARED);
        for (int from = 0; from < left.size(); from += 50) {
            archive.record(new ShardKey(earlier.ref(), 0), left.subList(from, from + 50));
        }
        archive.record(new ShardKey(earlier.ref(), 0), List.of(sent(earlier, new EmailAddress("bob@example.net"))));

        assertThat(meant(test("message", null, "sent", earlier.ref().toString())))
                .isEqualTo("bob");
        assertThat(meant(test("message", null, "not-sent", earlier.ref().toString())))
                .isEqualTo("ann");
    }

    private RecordedOutcome sent(Message earlier, EmailAddress address) {
        Recipient to = new Recipient(LIST, address, "", person("bob", false).guid(), Map.of(), 0, 0, null);
        return new RecordedOutcome(to.rowKey(), Outcome.SENT, 0, NOW, "", to.toValues(earlier, "news@example.org"));
    }

    @Test
    void peopleMatchByABounceOrComplaintOfAnEarlierMessage() {
        Message earlier = message();
        archive(earlier, "ann", new Feedback(Feedback.Kind.SOFT_BOUNCE, NOW, "4.2.2", "full", Feedback.EVENTS));
        archive(earlier, "bob", new Feedback(Feedback.Kind.COMPLAINT, NOW, "", "", Feedback.EVENTS));
        String ref = earlier.ref().toString();
        assertThat(meant(test("message", null, "bounced", ref))).isEqualTo("ann");
        assertThat(meant(test("message", null, "complained", ref))).isEqualTo("bob");
        assertThat(meant(test("message", null, "sent", ref))).isEqualTo("ann bob");
        assertThat(codes(test("message", null, "greater", ref))).containsExactly("RULES_WORD");
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

    private void archive(Message earlier, String name, Feedback told) {
        Subscriber person = person(name, name.equals("ann"));
        Recipient to = new Recipient(LIST, person.address(), "", person.guid(), Map.of(), 0, 0, Range.Delay.NONE);
        RecordedOutcome recorded =
                new RecordedOutcome(to.rowKey(), Outcome.SENT, 0, NOW, "", to.toValues(earlier, "news@example.org"));
        new OutcomeArchive(storage.tables(), DeliveryLimits.SHARED)
                .record(new ShardKey(earlier.ref(), 0), List.of(recorded.reportedSent(0, NOW, "", told)));
    }

    private void archive(Message earlier, Recipient to, Outcome outcome) {
        RecordedOutcome recorded =
                new RecordedOutcome(to.rowKey(), outcome, 0, NOW, "", to.toValues(earlier, "news@example.org"));
        new OutcomeArchive(storage.tables(), DeliveryLimits.SHARED)
                .record(new ShardKey(earlier.ref(), 0), List.of(recorded));
    }

    private static Subscriber person(String name, boolean known) {
        Instant joined = known ? NOW.minusSeconds(2 * 86_400) : Instant.parse("2020-01-01T00:00:00Z");
        Origin.Channel how = known ? Origin.Channel.FORM : Origin.Channel.IMPORT;
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
}
