package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.junit.jupiter.api.Test;

/** Checks whole campaigns on the simulated storage without any faults. */
class CampaignTests {

    private static final String FIRST = Recipient.rowKey(new EmailAddress("v00@contoso1.test"));

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void e1_everyVerifiedSubscriberGetsOneMailAndAnOutcome() {
        ListName list = world.list("contoso1", 2, 1);
        MessageRef ref = world.message(list, OnUnknown.HOLD);

        world.process.look();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.QUEUING);
        world.process.drain(world.process.fanOut);
        assertThat(world.storage.queues().peek(MailItem.TYPE.queue(), 32))
                .isNotEmpty()
                .allSatisfy(item -> assertThat(item.text()).endsWith(",0"));
        world.process.look();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.PROCESSING);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 2));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken().values()).containsExactly(1, 1);
        assertThat(verified("contoso1", 2)).allSatisfy(address -> assertThat(world.transport.linkOf(ref, address))
                .contains("/unsubscribe?id=" + guid(list, address) + "&listName=contoso1"));
        assertThat(world.messageRows()).isEmpty();
        assertThat(world.process.messages.active()).isEmpty();
    }

    private SubscriberGuid guid(ListName list, String address) {
        MailingList found = world.process.lists.findActive(list).orElseThrow();
        return world.process
                .subscriptions
                .find(found, new EmailAddress(address))
                .orElseThrow()
                .value()
                .guid();
    }

    /** Spec §1.3 defines names and types. The other properties of a row are our own. */
    @Test
    void e1_rowsHaveThePropertiesAndTypesOfTheTutorialsTables() {
        MessageRef ref = world.message(world.list("contoso1", 1, 2, 0), OnUnknown.HOLD);
        Map<String, Class<?>> message = types("MessageRef ScheduledDate SubjectLine ListName Status");
        Map<String, Class<?>> email = types(
                "MessageRef ScheduledDate SubjectLine ListName FromEmailAddress EmailAddress SubscriberGUID EmailSent");
        String day = world.find(ref).datePartition();

        assertProperties(ListStore.TABLE, "contoso1", "mailinglist", types("Description FromEmailAddress"));
        assertProperties(ListStore.TABLE, "contoso1.0", FIRST, types("SubscriberGUID Verified"));
        assertProperties(MessageStore.MESSAGE, day, "message" + ref.padded(), message);
        world.process.look();
        world.process.drain(world.process.fanOut);
        assertThat(assertProperties(MessageStore.MESSAGE, "mail.0." + ref.padded(), FIRST, email)
                        .bool("EmailSent", true))
                .isFalse();

        world.runToEnd();

        assertThat(assertProperties(MessageStore.ARCHIVE, "mail.0." + ref.padded(), FIRST, email)
                        .bool("EmailSent", false))
                .isTrue();
        assertThat(assertProperties(MessageStore.ARCHIVE, day, "message" + ref.padded(), message)
                        .string("Status"))
                .isEqualTo("Completed");
    }

    private static Map<String, Class<?>> types(String names) {
        Map<String, Class<?>> special = Map.of(
                "MessageRef",
                Long.class,
                "ScheduledDate",
                Instant.class,
                "Verified",
                Boolean.class,
                "EmailSent",
                Boolean.class);
        return Stream.of(names.split(" "))
                .collect(Collectors.toMap(name -> name, name -> special.getOrDefault(name, String.class)));
    }

    private Values assertProperties(String table, String partition, String row, Map<String, Class<?>> types) {
        Values values =
                world.storage.tables().get(table, partition, row).orElseThrow().values();
        types.forEach((name, type) ->
                assertThat(values.asMap().get(name)).as(name + " of " + row).isInstanceOf(type));
        return values;
    }

    @Test
    void everyBoundaryOfPagesBatchesRangesAndLotsIsCrossed() {
        ListName list = world.list("big", 61, 17);
        MessageRef ref = world.message(list, OnUnknown.HOLD);

        world.runToEnd();

        world.assertAccounted(ref, verified("big", 61));
        assertThat(world.transport.taken()).hasSize(61).allSatisfy((key, times) -> assertThat(times)
                .isOne());
    }

    @Test
    void e2_aMessageWaitsForItsDate() {
        ListName list = world.list("contoso1", 2, 0);
        MessageRef ref =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofHours(3)));

        world.process.turn();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.PENDING);

        world.time.advance(Duration.ofHours(3));
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 2));
    }

    @Test
    void e14_defect1_twoMessagesOfOneDayCompleteIndependently() {
        ListName first = world.list("first", 9, 0);
        ListName second = world.list("second", 3, 0);
        MessageRef a = world.message(first, OnUnknown.HOLD);
        MessageRef b = world.message(second, OnUnknown.HOLD);
        world.process.control.pause(a, Reason.NONE);

        for (int turn = 0; turn < 5; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }

        assertThat(world.find(b).status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(world.find(a).status()).isNotEqualTo(MessageStatus.COMPLETED);
        world.process.control.resume(a);
        world.runToEnd();
        world.assertAccounted(a, verified("first", 9));
        world.assertAccounted(b, verified("second", 3));
    }

    @Test
    void a54_aListWithNobodyToMailFailsWithTheReason() {
        MessageRef ref = world.message(world.list("empty", 0, 3), OnUnknown.HOLD);

        world.runToEnd();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.FAILED);
        assertThat(world.find(ref).result().reason()).asString().isEqualTo("no confirmed subscribers");
    }
}
