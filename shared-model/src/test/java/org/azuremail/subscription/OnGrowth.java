package org.azuremail.subscription;

import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.azuremail.list.ListStore;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.Growth.GrowthDay;
import org.azuremail.subscription.store.SubscriptionStore;

/** A list whose subscribers are counted at the end of each day. */
abstract class OnGrowth {

    SubscriptionWorld world = new SubscriptionWorld();

    Growth growth(Storage storage, ZoneId zone) {
        return new Growth(
                new ListStore(storage.tables()),
                new SubscriptionStore(storage.tables()),
                storage.tables(),
                zone,
                world.time);
    }

    Growth growth() {
        return growth(world.simulated.storage(), ZoneOffset.UTC);
    }

    static void run(Growth growth) {
        try {
            growth.service().run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    void nextMorning() {
        world.time.advance(Duration.ofDays(1));
    }

    void leave(String address) {
        world.subscriptions().leave(LIST, address(address), ADMIN);
    }

    List<String> days(Growth growth) {
        return growth.of(world.list(), 400).stream().map(OnGrowth::text).toList();
    }

    static String text(GrowthDay day) {
        return day.day() + " " + day.subscribed() + " +" + day.joined() + " -" + day.left();
    }

    long rows() {
        return world.rows(LIST.value()).stream()
                .filter(row -> row.key().partition().equals(LIST.value()))
                .filter(row -> row.rowKey().startsWith("day:"))
                .count();
    }
}
