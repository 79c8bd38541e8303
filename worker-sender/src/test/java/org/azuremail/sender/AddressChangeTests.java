package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.delivery.FanOutItem;
import org.azuremail.delivery.MailItem;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.subscription.EditResult;
import org.azuremail.subscription.Origin;
import org.azuremail.subscription.Profile;
import org.azuremail.subscription.Subscriber;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody gets another address when the shard of the old one is walked and that of the new one is not. */
class AddressChangeTests {

    private SimulatedWorld world = new SimulatedWorld();
    private final ListName list = world.list("crowd", 0, 0);
    private final EmailAddress old = address("old", 0);
    private final EmailAddress between = address("between", 0);
    private final EmailAddress middle = address("middle", 1);
    private final EmailAddress now = address("now", 1);
    private MessageRef ref;

    /** What became of the old address before the new one's shard is walked. */
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
    void i2_whoMovesDuringTheFanOutIsMailedAtOneAddress(Before before) {
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
        assertThat(world.process.search.search(world.find(ref), now).why())
                .contains(mailedNow ? "Sent" : "It took the place of " + old);
    }

    @Test
    void i2_whoMovesTwiceDuringTheFanOutIsMailedAtOneAddress() {
        begin();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(old, between);
        move(between, now);
        walksShard(1);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT));
    }

    /** The one in the middle is walked while nobody knows yet whether the second change will come to its end. */
    @Test
    void i2_whoeverDiesOnTheWayToTheThirdAddressNobodyIsMailedTwice() {
        for (long call = 1; diesOnTheWayToTheThird(call); call++) {
            assertThat(call).as("calls of one change").isLessThan(100);
        }
    }

    private boolean diesOnTheWayToTheThird(long call) {
        world = new SimulatedWorld();
        world.list(list.value(), 0, 0);
        begin();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(old, middle);
        Faults faults = new Faults(Faults.Mode.DIES_AFTER, call, () -> {});
        world.restart(faults);
        Throwable death = catchThrowable(() -> move(middle, now));
        world.restart();
        walksShard(1);
        world.runToEnd();

        assertThat(world.transport.taken())
                .as("when it died after call " + call)
                .hasSize(1)
                .containsValue(1);
        assertThat(world.outcomes(ref)).containsEntry(old.value(), Outcome.SENT);
        new Books(world, ref).assertBalanced();
        return death != null;
    }

    @Test
    void i2_whoStaysBecauseTheThirdAddressIsTakenIsNotMailedAgain() {
        begin();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(old, middle);
        diesWhenTheMoveHasBegun();
        assertThat(arrivedAt(middle)).as("still active since").isNotNull();
        world.subscriber(list, now.value(), true);
        world.time.advance(Duration.ofMinutes(3));
        world.process.look();
        assertThat(isMoving(middle)).isFalse();
        assertThat(arrivedAt(middle)).as("active as if nothing had happened").isNotNull();
        walksShard(1);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT, now.value(), Outcome.SENT));
        assertThat(world.find(ref).recipients()).as("a person each").isEqualTo(2);
    }

    @Test
    void whoeverHasAnAddressNowThatWasLeftLongAgoIsSomebodyElse() {
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
    void whoGetsSomebodysFormerAddressDoesNotBringTheirMailsAlong() {
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
    void i2_whoseChangeAnOlderVersionMadeIsMailedAtOneAddressToo() {
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
    void i2_whoMovesAndComesBackIsMailedAtOneAddress() {
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
    void i2_whoComesBackWhileTheOtherAddressIsHandedOverIsMailedThereAlone() {
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
    void whoComesBackBeforeTheOtherAddressWasCountedIsMailedAtTheFirst() {
        begin();
        walksShard(0);
        walksShard(1);
        move(old, now);
        move(now, old);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT));
    }

    @Test
    void whoMovedBeforeTheMessageWasDueIsMailedAtTheNewAddress() {
        world.subscriber(list, old.value(), true);
        move(old, now);
        ref = world.message(list, OnUnknown.HOLD);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(now.value(), Outcome.SENT));
    }

    /** By another process, while the lot with the old address is handed over. */
    private void moveAndWalk() {
        world.transport.beforeHandOver(() -> {});
        SimulatedProcess sender = world.process;
        world.restart();
        move(old, now);
        walksShard(1);
        world.process = sender;
    }

    private void begin() {
        world.subscriber(list, old.value(), true);
        world.time.advance(Duration.ofDays(1));
        ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
    }

    /** The old row says where it goes, and nothing else is done. */
    private void diesWhenTheMoveHasBegun() {
        for (long call = 1; !isMoving(middle); call++) {
            world.restart(new Faults(Faults.Mode.DIES_AFTER, call, () -> {}));
            catchThrowable(() -> move(middle, now));
            world.restart();
        }
    }

    private boolean isMoving(EmailAddress address) {
        return "MOVE".equals(row(address).values().string("Chore"));
    }

    private @Nullable Instant arrivedAt(EmailAddress address) {
        return row(address).values().instant("ArrivedAt");
    }

    private Row row(EmailAddress address) {
        return Rows.all(world.storage.tables(), "mailinglist", KeyRange.prefix(list + "." + shardOf(address), "email:"))
                .stream()
                .filter(row -> address.value().equals(row.values().string("EmailAddress")))
                .findFirst()
                .orElseThrow();
    }

    /** As it was stored when that was not noted yet. */
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
            case UNKNOWN -> new Answer.Unknown("the connection broke");
            case FAILED -> new Answer.Refused("no such user");
            default -> new Answer.Accepted("id");
        };
    }

    private void walksShard(int shard) {
        String queue = FanOutItem.TYPE.queue();
        world.storage.queues().receive(queue, 32, Duration.ofSeconds(1)).stream()
                .filter(item -> FanOutItem.TYPE.read(item.text()).shard() == shard)
                .forEach(item -> world.process.handle(world.process.fanOut, item));
        world.time.advance(Duration.ofSeconds(2));
    }

    private void sendsShard(int shard) {
        world.process.receive(world.process.sender, 32).stream()
                .filter(item -> MailItem.TYPE.read(item.text()).range().shard().shard() == shard)
                .forEach(item -> world.process.handle(world.process.sender, item));
    }

    private void move(EmailAddress from, EmailAddress to) {
        assertThat(tryToMove(from, to)).isInstanceOf(EditResult.Saved.class);
    }

    private EditResult tryToMove(EmailAddress from, EmailAddress to) {
        return world.process
                .feature
                .subscriptions()
                .changeAddress(list, from, find(from).etag(), to, Origin.admin("ada"));
    }

    /** Somebody else, who has the address now. */
    private void subscribesAgain(EmailAddress address) {
        assertThat(world.process
                        .feature
                        .subscriptions()
                        .adminEdit(list, address, find(address).etag(), Profile.named(""), true, Origin.admin("ada")))
                .isInstanceOf(EditResult.Saved.class);
    }

    private Versioned<Subscriber> find(EmailAddress address) {
        return world.process
                .lists
                .findActive(list)
                .flatMap(found -> world.process.feature.store().find(found, address))
                .orElseThrow();
    }

    private int shardOf(EmailAddress address) {
        return world.process.lists.findActive(list).orElseThrow().shardOf(address);
    }

    private EmailAddress address(String name, int shard) {
        var there = world.process.lists.findActive(list).orElseThrow();
        return IntStream.range(0, 100)
                .mapToObj(number -> new EmailAddress(name + number + "@crowd.test"))
                .filter(address -> there.shardOf(address) == shard)
                .findFirst()
                .orElseThrow();
    }
}
