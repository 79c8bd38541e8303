package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.delivery.FanOutItem;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.subscription.EditResult;
import org.azuremail.subscription.Origin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody gets another address when the shard of the old one is walked and that of the new one is not. */
class AddressChangeTests {

    private final SimulatedWorld world = new SimulatedWorld();
    private final ListName list = world.list("crowd", 0, 0);
    private final EmailAddress old = address("old", 0);
    private final EmailAddress between = address("between", 0);
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

    private void move(EmailAddress from, EmailAddress to) {
        var there = world.process
                .lists
                .findActive(list)
                .flatMap(found -> world.process.feature.store().find(found, from));
        assertThat(world.process
                        .feature
                        .subscriptions()
                        .changeAddress(list, from, there.orElseThrow().etag(), to, Origin.admin("ada")))
                .isInstanceOf(EditResult.Saved.class);
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
