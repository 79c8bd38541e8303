package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.Origin;
import org.junit.jupiter.api.Test;

/** Checks messages to several lists and to segments. */
class AudienceTests {

    private static final String BOTH = "v01@one.test";

    private final SimulatedWorld world = new SimulatedWorld();
    private final ListName one = world.list("one", 4, 1);
    private final ListName two = world.list("two", 3, 1);
    private final SegmentStore segments = new SegmentStore(world.storage.tables());

    private MessageRef send(Audience audience) {
        return world.message(audience, OnUnknown.HOLD, world.time.instant());
    }

    private Audience segment(String address) {
        SegmentName name = new SegmentName("some");
        segments.insert(new Segment(one, name, "", """
                {"what":"address","test":"is","value":"%s"}""".formatted(address)));
        return Audience.of(one, name);
    }

    @Test
    void subscribersOfTwoListsAreMailedOnceInTheNameOfTheFirst() {
        world.subscriber(two, BOTH, true);

        MessageRef ref = send(Audience.of(List.of(two, one)));
        world.runToEnd();

        assertThat(world.outcomes(ref)).hasSize(7).containsEntry(BOTH, Outcome.SENT);
        assertThat(world.transport.timesTaken(ref.toString(), BOTH)).isEqualTo(1);
        assertThat(world.transport.linkOf(ref, BOTH)).endsWith("listName=two");
        assertThat(world.transport.linkOf(ref, "v02@one.test")).endsWith("listName=one");
    }

    /**
     * This also holds when the message is sent again: a person needs to be on the list through which they were counted.
     */
    @Test
    void leavingTheListThatCountsIsWhatKeepsTheMessageAway() {
        world.subscriber(two, BOTH, true);
        world.transport.answer((mail, attempt) -> new Answer.Refused("550 no"));
        MessageRef ref = send(Audience.of(List.of(two, one)));
        world.process.look();
        world.process.drain(world.process.fanOut);
        world.leave(two, "v00@two.test");
        world.leave(one, BOTH);
        world.runToEnd();
        assertThat(world.outcomes(ref))
                .containsEntry("v00@two.test", Outcome.SKIPPED)
                .containsEntry(BOTH, Outcome.FAILED);

        world.transport.answer((mail, attempt) -> new Answer.Accepted("id"));
        world.leave(two, "v02@two.test");
        world.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
        world.runToEnd();

        assertThat(world.outcomes(ref))
                .containsEntry("v02@two.test", Outcome.SKIPPED)
                .containsEntry("v03@one.test", Outcome.SENT)
                .containsEntry(BOTH, Outcome.SENT);
        assertThat(world.transport.linkOf(ref, BOTH)).endsWith("listName=two");
    }

    @Test
    void everyListIsInUseUntilTheMessageIsFinal() {
        MessageRef ref = send(Audience.of(List.of(one, two)));
        world.process.look();
        assertThat(world.process.control.inUse(one)).isTrue();
        assertThat(world.process.control.inUse(two)).isTrue();
        world.process.feature.subscriptions().erase(two, new EmailAddress("v01@two.test"), Origin.admin("ada"));

        world.runToEnd();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(world.transport.timesTaken(ref.toString(), "v01@two.test")).isZero();
        assertThat(world.process.control.inUse(two)).isFalse();
    }

    @Test
    void e16_aMessageFailsWhenOneOfItsListsIsDeletedBeforeItsDate() {
        MessageRef ref = world.message(
                Audience.of(List.of(one, two)),
                OnUnknown.HOLD,
                world.time.instant().plusSeconds(3600));

        world.process.lists.markDeleting(two);
        world.process.control.endMessages(two);

        Message message = world.find(ref);
        assertThat(message.status()).isEqualTo(MessageStatus.FAILED);
        assertThat(message.result().reason()).isEqualTo(Reason.of(ReasonCode.LIST_GONE, "two"));
    }

    @Test
    void a54_aSegmentThatMeansNobodyFailsWithTheReason() {
        MessageRef ref = send(segment("nobody@one.test"));

        world.runToEnd();

        assertThat(world.find(ref).result().reason().is(ReasonCode.NO_SUBSCRIBERS))
                .isTrue();
    }

    @Test
    void unconfirmedSubscribersGetNothingWhateverTheSegmentSays() {
        MessageRef ref = send(segment("u00@one.test"));

        world.runToEnd();

        assertThat(world.find(ref).result().reason().is(ReasonCode.NO_SUBSCRIBERS))
                .isTrue();
    }

    @Test
    void aSegmentThatIsDeletedBeforeTheDateFailsTheMessageAndLaterChangesNothing() {
        MessageRef begun = send(segment(BOTH));
        MessageRef waiting = world.message(
                Audience.of(one, new SegmentName("some")),
                OnUnknown.HOLD,
                world.time.instant().plusSeconds(60));
        world.process.look();
        segments.deleteAll(one, gone -> true);

        world.runToEnd();

        assertThat(world.outcomes(begun)).containsOnlyKeys(BOTH);
        assertThat(world.find(waiting).result().reason()).isEqualTo(Reason.of(ReasonCode.SEGMENT_GONE, "some"));
    }

    /** An earlier version began messages whose rules could not be read again. */
    @Test
    void rulesThatCannotBeReadFailTheMessageBeforeAndAfterItHasBegun() {
        SegmentName name = new SegmentName("odd");
        segments.insert(new Segment(one, name, "", "{\"some\":[]}"));
        MessageRef pending = send(Audience.of(one, name));
        MessageRef begun = send(segment(BOTH));
        world.process.look();
        rewriteRules(begun, "{\"all\":[".repeat(60) + "]}".repeat(60));

        world.runToEnd();

        for (MessageRef ref : List.of(pending, begun)) {
            assertThat(world.find(ref).status()).isEqualTo(MessageStatus.FAILED);
            assertThat(world.find(ref).result().reason().is(ReasonCode.SEGMENT_BROKEN))
                    .isTrue();
        }
    }

    private void rewriteRules(MessageRef ref, String rules) {
        Row row = row(ref);
        world.storage
                .tables()
                .write(
                        MessageStore.MESSAGE,
                        row.key().partition(),
                        Write.replace(row, row.values().with("SegmentRules", rules)));
    }

    private Row row(MessageRef ref) {
        return Rows.all(world.storage.tables(), MessageStore.MESSAGE, KeyRange.everything()).stream()
                .filter(found -> found.rowKey().equals("message" + ref.padded()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void listsThatAreDividedDifferentlyAreRefused() {
        world.list("wide", 3, 1, 0);

        assertThatThrownBy(() -> send(Audience.of(List.of(one, new ListName("wide")))))
                .hasMessageContaining("Refused");
    }

    /**
     * An older version that read the property as the name of a list would send the message to everybody on that list.
     */
    @Test
    void anOlderVersionCannotReadAMessageThatGoesElsewhereThanToOneList() {
        for (Audience audience : List.of(segment(BOTH), Audience.of(List.of(one, two)))) {
            MessageRef ref = send(audience);
            Row row = row(ref);
            assertThatThrownBy(() -> new ListName(row.values().requireString("ListName")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(Audience.parse(row.values().requireString("ListName"))).contains(audience);
        }
        assertThat(Audience.parse(Audience.of(one).stored())).contains(Audience.of(one));
        assertThat(Audience.parse("one two/some")).isEmpty();
        assertThat(Audience.parse("one/")).isEmpty();
    }
}
