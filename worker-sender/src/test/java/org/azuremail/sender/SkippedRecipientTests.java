package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks recipients who are not emailed because the message was cancelled, or because they unsubscribed or were
 * removed.
 */
class SkippedRecipientTests {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void recipientsNotMailedWhenAMessageIsCancelledAreSkipped() {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> {
            if (once.getAndSet(false)) {
                world.process.control.cancel(ref);
            }
        });

        world.runToEnd();

        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.CANCELLED);
        assertThat(world.transport.handOvers()).isOne();
        assertThat(world.outcomes(ref)).hasSize(20);
        assertThat(SimulatedWorld.count(world.outcomes(ref), Outcome.SKIPPED))
                .isEqualTo(20 - world.transport.taken().size());
        assertThat(world.find(ref).result().counts().sum()).isEqualTo(20);
    }

    @Test
    void aMessageCancelledInTheMiddleOfFanOutCountsWhomItHadCounted() {
        MessageRef ref = world.message(world.list("contoso1", 20, 0), OnUnknown.HOLD);
        world.process.look();
        world.process
                .receive(world.process.fanOut, 1)
                .forEach(item -> world.process.handle(world.process.fanOut, item));

        assertThat(world.process.control.cancel(ref)).isTrue();
        world.runToEnd();

        Message cancelled = world.find(ref);
        assertThat(cancelled.status()).isEqualTo(MessageStatus.CANCELLED);
        assertThat(cancelled.result().recipients())
                .isBetween(1L, 19L)
                .isEqualTo(cancelled.result().counts().skipped());
        assertThat(world.transport.taken()).isEmpty();
        assertThat(world.messageRows()).isEmpty();
    }

    @Test
    void defect18_aSubscriberWhoLeavesAfterFanOutIsSkippedAndNeverHandedOver() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);

        world.leave(list, "v04@contoso1.test");
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 9));
        assertThat(world.outcomes(ref)).containsEntry("v04@contoso1.test", Outcome.SKIPPED);
        assertThat(world.detail(ref, "v04@contoso1.test")).isEqualTo("unsubscribed");
        assertThat(world.transport.taken()).hasSize(8);
    }

    @Test
    void skippedRecipientsHaveTheTrueReasonOnRecord() {
        ListName list = world.list("contoso1", 9, 0);
        ListName other = world.list("fabrikam1", 0, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);

        Subscriptions subscriptions = world.process.feature.subscriptions();
        Origin admin = Origin.admin("ada");
        subscriptions.suppress(list, person(1).address(), admin);
        subscriptions.adminEdit(list, person(2).address(), etag(list, 2), Profile.NONE, false, admin);
        subscriptions.move(
                new Membership(list, person(3).address()),
                etag(list, 3),
                new Membership(list, new EmailAddress("new@contoso1.test")),
                admin);
        subscriptions.move(
                person(4), etag(list, 4), new Membership(other, person(4).address()), admin);
        subscriptions.erase(list, person(5).address(), admin);
        world.runToEnd();

        assertThat(world.detail(ref, "v01@contoso1.test")).isEqualTo("suppressed");
        assertThat(world.detail(ref, "v02@contoso1.test")).isEqualTo("no longer verified");
        assertThat(world.detail(ref, "v03@contoso1.test")).isEqualTo("address changed");
        assertThat(world.detail(ref, "v04@contoso1.test")).isEqualTo("moved to another list");
        assertThat(world.detail(ref, "v05@contoso1.test")).isEqualTo("deleted");
        assertThat(world.find(ref).result().counts().skipped()).isEqualTo(5);
        assertThat(world.transport.taken()).hasSize(4);
    }

    private static Membership person(int number) {
        return new Membership(new ListName("contoso1"), new EmailAddress("v0" + number + "@contoso1.test"));
    }

    private String etag(ListName list, int number) {
        MailingList existing = world.process.lists.findActive(list).orElseThrow();
        return world.process
                .feature
                .store()
                .find(existing, person(number).address())
                .orElseThrow()
                .etag();
    }

    @Test
    void aSubscriberWhoLeavesBetweenTwoLotsOfALiveSenderIsNotHandedOver() {
        ListName list = world.list("contoso1", 12, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        List<String> left = new ArrayList<>();
        world.transport.afterHandOver(() -> {
            if (left.isEmpty()) {
                left.addAll(verified("contoso1", 12));
                left.removeIf(address -> world.transport.timesTaken(ref.toString(), address) > 0);
                left.forEach(address -> world.leave(list, address));
            }
        });

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 12));
        assertThat(world.transport.handOvers()).isOne();
        assertThat(left).isNotEmpty().allSatisfy(address -> assertThat(
                        world.outcomes(ref).get(address))
                .isEqualTo(Outcome.SKIPPED));
    }

    @Test
    void leavingOneListDoesNotDisturbSendersToAnother() {
        ListName list = world.list("contoso1", 1, 3, 0);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        MessageRef elsewhere = world.message(world.list("fabrikam1", 1, 3, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        String before = versionOfTheRange(ref);
        String beforeElsewhere = versionOfTheRange(elsewhere);

        world.leave(list, "v01@contoso1.test");

        assertThat(versionOfTheRange(ref)).isNotEqualTo(before);
        assertThat(versionOfTheRange(elsewhere)).isEqualTo(beforeElsewhere);
    }

    private String versionOfTheRange(MessageRef ref) {
        ShardKey shard = new ShardKey(ref, 0);
        return world.process.deliveries.controls(shard).ranges().get(0).etag();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "I7: recipients who leave after their mail was made and before R announces it are not handed over, in any lot")
    void i7_aSubscriberWhoLeavesJustBeforeHandingIsNotHandedOver(int lot) {
        ListName list = world.list("contoso1", 12, 0);
        AtomicInteger lots = new AtomicInteger();
        List<String> left = new ArrayList<>();
        world.rate = mails -> {
            if (lots.incrementAndGet() == lot) {
                left.addAll(verified("contoso1", 12));
                left.removeIf(address -> world.transport.timesTaken("1", address) > 0);
                left.forEach(address -> world.leave(list, address));
            }
            return RateLimitWait.NONE;
        };
        world.restart();
        MessageRef ref = world.message(list, OnUnknown.HOLD);

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 12));
        assertThat(world.transport.handOvers()).isEqualTo(lot - 1);
        assertThat(left).isNotEmpty().allSatisfy(address -> assertThat(
                        world.outcomes(ref).get(address))
                .isEqualTo(Outcome.SKIPPED));
    }
}
