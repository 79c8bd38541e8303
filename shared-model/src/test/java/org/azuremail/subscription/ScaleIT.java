package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.list.ListName;
import org.azuremail.list.Lists;
import org.azuremail.list.OptIn;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.transfer.ImportWorld;
import org.junit.jupiter.api.Test;

class ScaleIT {

    @Test
    void e28_aGuidIsFoundWithAsManyCallsAmongAHundredAsAmongAHundredThousand() {
        assertThat(callsOfLinks(100_000)).isEqualTo(callsOfLinks(100));
    }

    @Test
    void countsStayExactWhileManyChangeTheSameShard() {
        SubscriptionWorld world = new SubscriptionWorld();
        ListName one = new ListName("one");
        world.lists.create(Lists.with(SubscriptionWorld.list(one, OptIn.SINGLE), "shards", 1));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int thread = i;
            // Two features on one storage act as two processes, which share no lock.
            SubscriptionFeature process = i % 2 == 0 ? world.feature : another(world);
            all.add(CompletableFuture.runAsync(() -> joinAndLeave(process, one, thread), threads));
        }
        all.forEach(CompletableFuture::join);
        threads.shutdown();

        var list = world.lists.find(one).orElseThrow().value();
        assertThat(world.store().counts(list)).isEqualTo(new SubscriberCounts(0, 8 * 20, 8 * 20, 0, 0));
        Invariants.check(world.tables(), list);
    }

    private static SubscriptionFeature another(SubscriptionWorld world) {
        SubscriptionFeature first = world.feature;
        world.restart();
        SubscriptionFeature second = world.feature;
        world.feature = first;
        return second;
    }

    private static void joinAndLeave(SubscriptionFeature process, ListName list, int thread) {
        for (int i = 0; i < 40; i++) {
            var address = address("p" + thread + "." + i + "@example.org");
            process.subscriptions().adminAdd(list, address, Profile.NONE, true, ADMIN);
            if (i % 2 == 0) {
                process.subscriptions().leave(list, address, LINK);
            }
        }
    }

    private static List<Long> callsOfLinks(int subscribers) {
        ImportWorld imports = new ImportWorld(50_000);
        SubscriptionWorld world = imports.world;
        for (int from = 0; from < subscribers; from += 20_000) {
            imports.bring(
                    "email\n"
                            + IntStream.range(from, Math.min(subscribers, from + 20_000))
                                    .mapToObj(i -> "p" + i + "@example.org\n")
                                    .collect(Collectors.joining()),
                    true);
        }
        assertThat(world.store().counts(world.list()).subscribed()).isEqualTo(subscribers);
        SubscriberGuid guid = world.get("p42@example.org").guid();
        return List.of(
                calls(world, () -> world.store().find(LIST, guid)),
                calls(world, () -> world.store().find(world.list(), address("p42@example.org"))),
                calls(world, () -> world.store().counts(world.list())),
                calls(world, () -> world.subscriptions().leave(LIST, guid, LINK)));
    }

    private static long calls(SubscriptionWorld world, Runnable action) {
        long before = world.simulated.calls();
        action.run();
        return world.simulated.calls() - before;
    }
}
