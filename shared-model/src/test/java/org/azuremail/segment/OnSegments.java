package org.azuremail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.BeforeEach;

/** A list with a field of each type, and the means to create its segments and messages. */
abstract class OnSegments {

    static final ListName LIST = new ListName("readers");
    static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

    final ManualTime time = ManualTime.thatSleepsByItself();
    final SimulatedStorage simulated = new SimulatedStorage(time, 7);
    final Storage storage = simulated.storage();
    final SegmentStore store = new SegmentStore(storage.tables());
    final DeliveryStore deliveries = new DeliveryStore(storage.tables(), DeliveryLimits.SHARED, nonce -> false);
    final ListStore lists = new ListStore(storage.tables());
    final FieldStore fields = new FieldStore(storage.tables(), lists, time);
    Segments segments;
    PeopleFilters filters;
    Messages messages;
    MailingList list;

    @BeforeEach
    void aListWithFields() {
        storage.tables().createTable(ListStore.TABLE);
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        list = Lists.with(MailingList.of(LIST, "Readers", from, OptIn.DOUBLE, time.instant()), "shards", 1);
        lists.create(list);
        ListFields typed = ListFields.NONE
                .with(Field.text("city"))
                .with(new Field("score", "Score", FieldType.NUMBER, List.of(), false, false))
                .with(new Field("since", "Since", FieldType.DATE, List.of(), false, false))
                .with(new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), false, false))
                .with(new Field("vip", "VIP", FieldType.YES_NO, List.of(), false, false))
                .with(new Field("plan", "Plan", FieldType.CHOICE, List.of("Free", "Paid"), false, false));
        fields.save(list, typed, "");
        list = lists.findActive(LIST).orElseThrow();
        messages = MessagesInTests.on(storage, time);
        segments = new Segments(store, lists, fields, messages);
        filters = new PeopleFilters(fields, deliveries);
    }

    List<String> codes(String json) {
        return faults(json).stream().map(fault -> fault.reason().code()).toList();
    }

    List<RuleJson.Fault> faults(String json) {
        RuleJson.Read read = RuleJson.read(json);
        return read.rule() == null
                ? read.faults()
                : segments.resolve(list, null, read.rule()).faults();
    }

    void save(String name, String json) {
        assertThat(saving(name, json)).isInstanceOf(Segments.SegmentSaveResult.Done.class);
    }

    Segments.SegmentSaveResult saving(String name, String json) {
        SegmentName segment = new SegmentName(name);
        String etag = store.find(LIST, segment).map(Versioned::etag).orElse(null);
        return segments.save(list, segment, "", RuleJson.read(json).rule(), etag);
    }

    Message message() {
        Messages.MessageCreateResult made = messages.create(new Messages.NewMessage(
                LIST,
                Draft.of("News", "<p>News</p>", null),
                new Schedule(time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "ann",
                false));
        return ((Messages.MessageCreateResult.Created) made).message();
    }

    static String test(String what, String field, String test, String value) {
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
