package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;

/** A person whose address changes after its shard was walked and before the shard of the new address is walked. */
abstract class OnAddressChange {

    SimulatedWorld world = new SimulatedWorld();
    final ListName list = world.list("crowd", 0, 0);
    final EmailAddress old = address("old", 0);
    final EmailAddress middle = address("middle", 1);
    final EmailAddress now = address("now", 1);
    MessageRef ref;

    void begin() {
        world.subscriber(list, old.value(), true);
        world.time.advance(Duration.ofDays(1));
        ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
    }

    Row row(EmailAddress address) {
        return Rows.all(world.storage.tables(), "mailinglist", KeyRange.prefix(list + "." + shardOf(address), "email:"))
                .stream()
                .filter(row -> address.value().equals(row.values().string("EmailAddress")))
                .findFirst()
                .orElseThrow();
    }

    void walksShard(int shard) {
        String queue = FanOutItem.TYPE.queue();
        world.storage.queues().receive(queue, 32, Duration.ofSeconds(1)).stream()
                .filter(item -> FanOutItem.TYPE.read(item.text()).shard() == shard)
                .forEach(item -> world.process.handle(world.process.fanOut, item));
        world.time.advance(Duration.ofSeconds(2));
    }

    void move(EmailAddress from, EmailAddress to) {
        assertThat(tryToMove(from, to)).isInstanceOf(EditResult.Saved.class);
    }

    EditResult tryToMove(EmailAddress from, EmailAddress to) {
        return world.process
                .feature
                .subscriptions()
                .move(new Membership(list, from), find(from).etag(), new Membership(list, to), Origin.admin("ada"));
    }

    Versioned<Subscriber> find(EmailAddress address) {
        return world.process
                .lists
                .findActive(list)
                .flatMap(found -> world.process.feature.store().find(found, address))
                .orElseThrow();
    }

    int shardOf(EmailAddress address) {
        return world.process.lists.findActive(list).orElseThrow().shardOf(address);
    }

    EmailAddress address(String name, int shard) {
        var existing = world.process.lists.findActive(list).orElseThrow();
        return IntStream.range(0, 100)
                .mapToObj(number -> new EmailAddress(name + number + "@crowd.test"))
                .filter(address -> existing.shardOf(address) == shard)
                .findFirst()
                .orElseThrow();
    }
}
