package org.azuremail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.field.ListFields;
import org.azuremail.list.Lists;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.index.FieldIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks which rules are accepted and which are refused. */
class SegmentsTest extends OnSegments {

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
    void meaninglessRulesAreRefusedWithTheirPlace(String json, String pointer, String code) {
        List<RuleJson.Fault> faults = faults(json);
        assertThat(faults).extracting(RuleJson.Fault::pointer).first().isEqualTo(pointer);
        assertThat(faults).extracting(fault -> fault.reason().code()).first().isEqualTo(code);
        assertThat(faults)
                .allSatisfy(fault -> assertThat(fault.reason().words()).isNotBlank());
    }

    /** The list is deleted meanwhile, and a new one has its name. */
    @Test
    void aSegmentThatIsSavedWhileTheListIsDeletedIsNotOneOfTheNextList() {
        boolean reached = true;
        int call = 0;
        while (reached) {
            lists.find(LIST).ifPresent(existing -> deleteList());
            aListWithFields();
            SleepAt sleeper = new SleepAt(++call, () -> {
                deleteList();
                time.advance(Duration.ofSeconds(1));
                lists.create(Lists.with(list, "createdAt", time.instant()));
            });
            simulated.hook(sleeper);
            saving("gold", test("field", "city", "is", "Bonn"));
            simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            assertThat(store.find(LIST, new SegmentName("gold")).isPresent())
                    .as("at call " + call)
                    .isEqualTo(!reached);
        }
        assertThat(call).isGreaterThan(4);
    }

    private void deleteList() {
        lists.markDeleting(LIST);
        store.deleteAll(LIST, lists::isDeleting);
        FieldIndex.forget(storage.tables(), LIST, lists::isDeleting);
        lists.remove(LIST);
    }

    @Test
    void rulesBeyondTheLimitsAreRefused() {
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

    /** A cycle that is stored nevertheless is found when the message is due. */
    @Test
    void cyclesOfSegmentsAreRefused() {
        save("one", test("name", null, "is", "Ann"));
        save("two", test("segment", null, "in", "one"));
        assertThat(codesOfSaving("one", test("segment", null, "in", "two"))).containsExactly("RULES_CYCLE");
        assertThat(codesOfSaving("three", test("segment", null, "in", "three"))).containsExactly("RULES_CYCLE");
        Versioned<Segment> one = store.find(LIST, new SegmentName("one")).orElseThrow();
        store.replace(new Segment(LIST, one.value().name(), "", test("segment", null, "in", "two")), one.etag());
        assertThat(resolved("two").faults())
                .extracting(fault -> fault.reason().code())
                .containsExactly("RULES_CYCLE");
    }

    @Test
    void segmentsThatAreSavedAtTheSameTimeStoreNoCycle() {
        for (int call = 1; ; call++) {
            for (String name : List.of("one", "two", "three")) {
                save(name, test("name", null, "is", "Ann"));
            }
            SleepAt sleep = new SleepAt(call, () -> {
                saving("two", test("segment", null, "in", "three"));
                saving("three", test("segment", null, "in", "one"));
            });

            simulated.hook(sleep);
            Segments.SegmentSaveResult result = saving("one", test("segment", null, "in", "two"));
            simulated.hook(CallHook.NONE);

            assertThat(segments.listWithFaults(list))
                    .as("sleep at call %d", call)
                    .allSatisfy(listed -> assertThat(listed.faults()).isEmpty());
            assertThat(rules("one"))
                    .as("sleep at call %d", call)
                    .isEqualTo(
                            result instanceof Segments.SegmentSaveResult.Done
                                    ? test("segment", null, "in", "two")
                                    : test("name", null, "is", "Ann"));
            if (!sleep.slept()) {
                break;
            }
        }
    }

    @Test
    void aNewSegmentThatWouldCloseACycleIsTakenBack() {
        save("two", test("name", null, "is", "Ann"));
        // The references to the new segment are stored while it is checked, by a process that saw an earlier one of its
        // name.
        simulated.hook(new CallHook() {
            @Override
            public void before(Call next) {
                if (next.kind().changes()) {
                    simulated.hook(CallHook.NONE);
                    Versioned<Segment> two =
                            store.find(LIST, new SegmentName("two")).orElseThrow();
                    store.replace(
                            new Segment(LIST, two.value().name(), "", test("segment", null, "in", "new")), two.etag());
                }
            }
        });

        assertThat(codesOfSaving("new", test("segment", null, "in", "two"))).containsExactly("RULES_CYCLE");
        assertThat(store.find(LIST, new SegmentName("new"))).isEmpty();
    }

    @Test
    void rulesReadBackAreTheSame() {
        String json = "{\"any\":[" + test("field", "city", "is", "Köln \uD83D\uDE00") + ",{\"none\":["
                + test("name", null, "is-empty", null) + "]}]}";
        Rule rule = RuleJson.read(json).rule();
        assertThat(RuleJson.read(RuleJson.text(rule)).rule()).isEqualTo(rule);
    }

    /** A rule about a deleted message does not keep another message from being sent. */
    @Test
    void aDeletedMessageCountsAsSentToNobody() {
        Message earlier = message();
        save("late", test("message", null, "not-sent", earlier.ref().toString()));
        messages.delete(messages.findActive(earlier.ref()).orElseThrow());
        assertThat(resolved("late").applicable()).isPresent();
    }

    /** The rules of a message are read again at each part of its fan-out. */
    @Test
    void aChainOfSegmentsThatIsTooLongToReadAgainIsRefused() {
        save("s0", test("name", null, "is", "Ann"));
        for (int i = 1; i <= 30; i++) {
            save("s" + i, "{\"all\":[" + test("segment", null, "in", "s" + (i - 1)) + "]}");
        }
        assertThat(RuleJson.read(RuleJson.text(resolved("s30").rule())).faults())
                .as("only references do not nest")
                .isEmpty();
        List<String> codes = List.of();
        for (int i = 31; codes.isEmpty(); i++) {
            String rules = "{\"none\":[".repeat(3) + test("segment", null, "not-in", "s" + (i - 1)) + "]}".repeat(3);
            codes = codes(rules);
            if (codes.isEmpty()) {
                save("s" + i, rules);
                assertThat(RuleJson.read(RuleJson.text(resolved("s" + i).rule()))
                                .faults())
                        .isEmpty();
            }
        }
        assertThat(codes).containsExactly("RULES_DEEP_TOGETHER");
    }

    /** Each of these was small when it was saved. All of them together, expanded, would not fit in memory. */
    @Test
    void segmentsThatMultiplyEachOtherAreExpandedToTheLimitOnly() {
        save("s0", test("name", null, "is", "Ann"));
        int levels = 5;
        for (int i = 1; i <= levels; i++) {
            save("s" + i, group(1, test("segment", null, "in", "s" + (i - 1))));
        }
        for (int i = levels; i > 0; i--) {
            save("s" + i, group(10, test("segment", null, "in", "s" + (i - 1))));
        }

        assertThat(resolved("s" + levels).faults())
                .as("the first reference is too large, and the others are not expanded")
                .extracting(fault -> fault.pointer() + " " + fault.reason().code())
                .containsOnly("/all/0 RULES_MANY");
    }

    @Test
    void anUnreadableSegmentBreaksOnlyThoseThatUseIt() {
        save("fine", test("name", null, "is", "Ann"));
        store.insert(new Segment(LIST, new SegmentName("odd"), "", "{\"some\":[]}"));
        store.insert(new Segment(LIST, new SegmentName("user"), "", test("segment", null, "in", "odd")));

        assertThat(resolved("odd").faults()).isNotEmpty();
        assertThat(resolved("user").faults()).isNotEmpty();
        assertThat(resolved("fine").applicable()).isPresent();
        assertThat(segments.findReferencing(
                        store.find(LIST, new SegmentName("fine")).orElseThrow().value()))
                .isEmpty();
    }

    @Test
    void aSegmentWhoseFieldIsDeletedCannotBeApplied() {
        save("ulm", test("field", "city", "is", "Ulm"));
        save("user", test("segment", null, "in", "ulm"));
        Versioned<ListFields> before = fields.find(list);
        ListFields left = before.value().without("city");
        assertThat(segments.brokenBy(LIST, "city", left))
                .extracting(segment -> segment.name().value())
                .containsExactly("ulm");
        assertThat(segments.brokenBy(LIST, "score", before.value().without("score")))
                .isEmpty();

        fields.save(list, left, before.etag());
        list = lists.findActive(LIST).orElseThrow();

        assertThat(resolved("ulm").faults())
                .extracting(fault -> fault.reason().code())
                .containsExactly("RULES_FIELD_UNKNOWN");
        assertThat(segments.listWithFaults(list))
                .extracting(one -> one.faults().size())
                .containsExactly(1, 1);
    }

    private Segments.Resolved resolved(String name) {
        return segments.resolve(LIST, new SegmentName(name)).orElseThrow();
    }

    /** Without its outcomes, the message would count as sent to nobody. */
    @Test
    void aMessageWithDeletedOutcomesBreaksTheSegment() {
        Message earlier = message();
        String ref = earlier.ref().toString();
        save("late", test("message", null, "not-sent", ref));
        Versioned<Message> read = messages.findActive(earlier.ref()).orElseThrow();
        new MessageStore(storage.tables()).replace(read, read.value().retired(NOW));

        assertThat(resolved("late").faults())
                .extracting(fault -> fault.reason().code())
                .containsExactly("RULES_MESSAGE_FORGOTTEN");
        assertThat(codes(test("message", null, "sent", ref))).containsExactly("RULES_MESSAGE_FORGOTTEN");
    }

    @Test
    void aListHasTwoHundredSegmentsAtMost() {
        String anns = test("name", null, "is", "Ann");
        for (int i = 0; i < SegmentStore.MAX; i++) {
            save("segment" + i, anns);
        }

        assertThat(saving("another", anns)).isInstanceOf(Segments.SegmentSaveResult.TooMany.class);
        save("segment0", test("name", null, "is", "Bob"));
    }

    @Test
    void segmentNamesIgnoreCase() {
        save("one", test("name", null, "is", "Ann"));
        save("two", test("segment", null, "in", "ONE"));

        assertThat(rules("two")).isEqualTo(test("segment", null, "in", "one"));
        assertThat(codesOfSaving("one", test("segment", null, "in", "TWO"))).containsExactly("RULES_CYCLE");
        Versioned<Segment> two = store.find(LIST, new SegmentName("two")).orElseThrow();
        store.replace(new Segment(LIST, two.value().name(), "", test("segment", null, "in", "ONE")), two.etag());
        assertThat(segments.findReferencing(
                        store.find(LIST, new SegmentName("one")).orElseThrow().value()))
                .extracting(Segment::name)
                .containsExactly(two.value().name());
        assertThat(codesOfSaving("one", test("segment", null, "in", "TWO"))).containsExactly("RULES_CYCLE");
    }

    @Test
    void aSegmentIsNotUsedByTheLowerCaseOfLettersOutsideAscii() {
        save("k", test("name", null, "is", "Ann"));

        assertThat(codes(test("segment", null, "in", "\u212A"))).containsExactly("RULES_SEGMENT_UNKNOWN");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vip is false | no",
                "plan is PAID | Paid",
                "score is 7.50 | 7.5",
                "since before 31.1.2024 | 2024-01-31",
                "birthday is 29.2. | 02-29",
                "city contains ' Ulm ' | Ulm"
            })
    void aValueIsSavedInTheFormOfItsField(String test, String saved) {
        String[] words = test.replace("'", "").split(" ", 3);
        save("some", test("field", words[0], words[1], words[2]));
        assertThat(rules("some")).isEqualTo(test("field", words[0], words[1], saved));
    }

    private String rules(String name) {
        return store.find(LIST, new SegmentName(name)).orElseThrow().value().rules();
    }

    private List<String> codesOfSaving(String name, String json) {
        return ((Segments.SegmentSaveResult.Refused) saving(name, json))
                .faults().stream().map(fault -> fault.reason().code()).toList();
    }

    private static String group(int times, String rule) {
        return "{\"all\":[" + String.join(",", java.util.Collections.nCopies(times, rule)) + "]}";
    }
}
