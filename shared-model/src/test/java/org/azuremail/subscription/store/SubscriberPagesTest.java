package org.azuremail.subscription.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SubscriberPagesTest {

    private final SubscriptionWorld world = new SubscriptionWorld();

    @Test
    void e27_moreThanAThousandSubscribersArePagedInOrderEachOnce() {
        List<String> added = IntStream.range(0, 1100)
                .mapToObj(i -> String.format("p%05d@example.org", i))
                .toList();
        added.forEach(world::subscribed);

        List<String> walked = walk(SubscriberFilter.ALL, 100);

        assertThat(walked).isEqualTo(added);
    }

    @Test
    void e27_aPageReadsAsManyRowsWhateverTheListHolds() {
        IntStream.range(0, 50).forEach(i -> world.subscribed("p" + i + "@example.org"));
        long small = calls();
        IntStream.range(50, 700).forEach(i -> world.subscribed("p" + i + "@example.org"));

        assertThat(calls()).isLessThanOrEqualTo(4 * small);
    }

    @Test
    void pagesCanBeNarrowedToHowAddressesBegin() {
        List.of("ann@example.org", "anna@example.org", "an+x@example.org", "bob@example.org")
                .forEach(world::subscribed);

        assertThat(walk(new SubscriberFilter("ANN", java.util.Set.of()), 1))
                .containsExactly("ann@example.org", "anna@example.org");
        assertThat(walk(new SubscriberFilter("an+", java.util.Set.of()), 10)).containsExactly("an+x@example.org");
    }

    @Test
    void pagesCanBeNarrowedToAState() {
        IntStream.range(0, 60).forEach(i -> world.subscribed("p" + i + "@example.org"));
        List<String> left = List.of("p17@example.org", "p3@example.org", "p42@example.org");
        left.forEach(text -> world.subscriptions().leave(LIST, address(text), LINK));

        assertThat(walk(new SubscriberFilter("", Set.of(SubscriberState.UNSUBSCRIBED)), 2))
                .isEqualTo(left);
    }

    @Test
    void whoJoinsBehindTheCursorIsSeenAndNobodyTwice() {
        IntStream.range(0, 20).forEach(i -> world.subscribed("m" + (10 + i) + "@example.org"));
        SubscriberPages.Page first = page(SubscriberFilter.ALL, null, 10);
        world.subscribed("a@example.org");
        world.subscribed("z@example.org");

        SubscriberPages.Page second = page(SubscriberFilter.ALL, first.cursor(), 100);

        assertThat(second.subscribers())
                .extracting(s -> s.address().value())
                .endsWith("z@example.org")
                .hasSize(11);
    }

    @Test
    void aMadeUpCursorIsRefused() {
        assertThatThrownBy(() -> page(SubscriberFilter.ALL, "Z3VpZDp4", 10))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> page(SubscriberFilter.ALL, "***", 10)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aShardIsWalkedInOrderOfRowKeyWithACheckpoint() {
        world.lists.create(
                SubscriptionWorld.list(new org.azuremail.list.ListName("one"), org.azuremail.list.OptIn.DOUBLE)
                        .withShards(1));
        IntStream.range(0, 25).forEach(i -> world.subscriptions()
                .adminAdd(
                        new org.azuremail.list.ListName("one"),
                        address("p" + (10 + i) + "@example.org"),
                        Profile.NONE,
                        true,
                        ADMIN));
        List<String> walked = new ArrayList<>();
        String after = null;
        do {
            SubscriptionStore.ShardPage page =
                    world.store().shardPage(new org.azuremail.list.ListName("one"), 0, after, 10);
            page.subscribers().forEach(s -> walked.add(s.address().value()));
            after = page.lastRowKey();
        } while (after != null);

        assertThat(walked).hasSize(25).isSorted();
    }

    private long calls() {
        long before = world.simulated.calls();
        page(SubscriberFilter.ALL, null, 20);
        return world.simulated.calls() - before;
    }

    private List<String> walk(SubscriberFilter filter, int limit) {
        List<String> walked = new ArrayList<>();
        String cursor = null;
        do {
            SubscriberPages.Page page = page(filter, cursor, limit);
            assertThat(page.subscribers()).hasSizeLessThanOrEqualTo(limit);
            page.subscribers()
                    .forEach(subscriber -> walked.add(subscriber.address().value()));
            cursor = page.cursor();
        } while (cursor != null);
        return walked;
    }

    private SubscriberPages.Page page(SubscriberFilter filter, @Nullable String cursor, int limit) {
        return world.feature.pages().page(world.list(), filter, cursor, limit);
    }
}
