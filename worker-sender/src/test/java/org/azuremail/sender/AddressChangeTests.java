package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks an address that changes after its shard was walked and before the shard of the new address is walked. */
class AddressChangeTests extends OnAddressChange {

    /** The state of the email to the old address when the new address's shard is walked. */
    enum Before {
        SENT,
        UNKNOWN,
        FAILED,
        IN_THE_AIR,
        NOT_MAILED_YET,
        SKIPPED
    }

    @ParameterizedTest
    @EnumSource
    void i2_aSubscriberWhoMovesDuringTheFanOutIsMailedAtOneAddress(Before before) {
        begin();
        world.transport.answer((mail, attempt) -> answer(before, mail.to().address()));
        walksShard(0);
        if (before == Before.IN_THE_AIR) {
            world.transport.beforeHandOver(this::moveAndWalk);
        }
        if (before != Before.NOT_MAILED_YET && before != Before.SKIPPED) {
            world.process.drain(world.process.sender);
        }
        if (before != Before.IN_THE_AIR) {
            move(old, now);
        }
        if (before == Before.SKIPPED) {
            world.process.drain(world.process.sender);
        }
        walksShard(1);
        world.runToEnd();

        boolean mailedNow = before == Before.FAILED || before == Before.SKIPPED || before == Before.NOT_MAILED_YET;
        Outcome stays =
                switch (before) {
                    case SENT, IN_THE_AIR -> Outcome.SENT;
                    case UNKNOWN -> Outcome.UNKNOWN;
                    case FAILED -> Outcome.FAILED;
                    case NOT_MAILED_YET, SKIPPED -> Outcome.SKIPPED;
                };
        assertThat(world.outcomes(ref))
                .isEqualTo(
                        mailedNow ? Map.of(old.value(), stays, now.value(), Outcome.SENT) : Map.of(old.value(), stays));
        new Books(world, ref).assertBalanced();
        assertThat(world.transport.taken().values())
                .as("mails")
                .hasSizeLessThanOrEqualTo(1)
                .allMatch(times -> times == 1);
        assertThat(world.process.search.search(world.find(ref), now).words())
                .contains(mailedNow ? "Sent" : "It took the place of " + old);
    }

    @Test
    void theNewOwnerOfAnAddressThatWasLeftLongAgoIsSomebodyElse() {
        world.subscriber(list, old.value(), true);
        move(old, middle);
        subscribesAgain(old);
        world.time.advance(Duration.ofDays(1));
        ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(middle, now);
        walksShard(1);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT, now.value(), Outcome.SENT));
    }

    @Test
    void aNewOwnerOfAFormerAddressDoesNotTakeOverItsMails() {
        EmailAddress other = address("other", 0);
        world.subscriber(list, other.value(), true);
        begin();
        move(old, now);
        walksShard(0);
        world.process.drain(world.process.sender);
        move(other, old);
        walksShard(1);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(other.value(), Outcome.SENT, now.value(), Outcome.SENT));
    }

    @Test
    void i2_aPersonWhomAnOlderVersionMovedIsMailedAtOneAddressToo() {
        begin();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(old, now);
        withoutArrivedAt(now);
        walksShard(1);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT));
    }

    @Test
    void i2_aSubscriberWhoMovesAndComesBackIsMailedAtOneAddress() {
        begin();
        walksShard(0);
        move(old, now);
        walksShard(1);
        sendsShard(1);
        assertThat(tryToMove(now, old)).isInstanceOf(EditResult.NotPossible.class);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SKIPPED, now.value(), Outcome.SENT));
        assertThat(tryToMove(now, old)).as("when the message is through").isInstanceOf(EditResult.Saved.class);
    }

    @Test
    void i2_aSubscriberWhoMovesBackDuringTheHandOverIsMailedOnlyAtThatAddress() {
        begin();
        walksShard(0);
        move(old, now);
        walksShard(1);
        SimulatedProcess sender = world.process;
        SimulatedProcess web = world.restart();
        List<EditResult> tried = new ArrayList<>();
        world.transport.beforeHandOver(() -> {
            world.process = web;
            tried.add(tryToMove(now, old));
            world.process = sender;
        });
        world.process = sender;
        sendsShard(1);
        world.runToEnd();

        assertThat(tried).singleElement().isInstanceOf(EditResult.NotPossible.class);
        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SKIPPED, now.value(), Outcome.SENT));
    }

    @Test
    void aSubscriberWhoReturnsBeforeTheOtherAddressWasCountedIsMailedAtTheFirst() {
        begin();
        walksShard(0);
        walksShard(1);
        move(old, now);
        move(now, old);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT));
    }

    @Test
    void aSubscriberWhoMovedBeforeTheMessageWasDueIsMailedAtTheNewAddress() {
        world.subscriber(list, old.value(), true);
        move(old, now);
        ref = world.message(list, OnUnknown.HOLD);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(now.value(), Outcome.SENT));
    }

    /** Changes the address in another process while the lot with the old address is handed over. */
    private void moveAndWalk() {
        world.transport.beforeHandOver(() -> {});
        SimulatedProcess sender = world.process;
        world.restart();
        move(old, now);
        walksShard(1);
        world.process = sender;
    }

    /** Rewrites the row as versions did that did not record the time of arrival. */
    private void withoutArrivedAt(EmailAddress address) {
        Row row = row(address);
        Values values = row.values().with("ArrivedAt", null);
        world.storage.tables().write("mailinglist", row.key().partition(), Write.replace(row, values));
    }

    private Answer answer(Before before, EmailAddress address) {
        if (!address.equals(old)) {
            return new Answer.Accepted("id");
        }
        return switch (before) {
            case UNKNOWN -> new Answer.Unknown(Reason.ofText("the connection broke"));
            case FAILED -> new Answer.Refused("no such user");
            default -> new Answer.Accepted("id");
        };
    }

    private void sendsShard(int shard) {
        world.process.receive(world.process.sender, 32).stream()
                .filter(item -> MailItem.TYPE.read(item.text()).range().shard().shard() == shard)
                .forEach(item -> world.process.handle(world.process.sender, item));
    }

    /** Subscribes the address again, as another person who has the address now. */
    private void subscribesAgain(EmailAddress address) {
        assertThat(world.process
                        .feature
                        .subscriptions()
                        .adminEdit(list, address, find(address).etag(), Profile.NONE, true, Origin.admin("ada")))
                .isInstanceOf(EditResult.Saved.class);
    }
}
