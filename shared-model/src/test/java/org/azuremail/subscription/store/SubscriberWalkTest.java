package org.azuremail.subscription.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.field.Field;
import org.azuremail.list.Lists;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Page;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.store.SubscriberFilter.FieldSearch;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriberWalkTest {

    private static final Field CITY = Field.text("city");

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

    /** An ö may be one character, or an o with an accent that is a character of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"J\u00f6", "Jo\u0308"})
    void addressesAreFoundByComposedAndDecomposedLetters(String typed) {
        List<String> added = List.of(
                "j\u00f6a@example.org", "j\u00f6c@example.org", "jo\u0308a@example.org", "jo\u0308b@example.org");
        Stream.concat(Stream.of("john@example.org", "jz@example.org"), added.stream())
                .forEach(world::subscribed);

        for (int perPage = 1; perPage <= 5; perPage++) {
            assertThat(walk(new SubscriberFilter(typed, Set.of()), perPage)).isEqualTo(added);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 6, 3, 2", "1, 7, 3, 3", "2, 6, 6, 1", "16, 6, 3, 2", "1, 0, 3, 1"})
    void theLastPageIsKnownToBeTheLast(int shards, int people, int perPage, int pages) {
        SubscriptionWorld small = new SubscriptionWorld(OptIn.SINGLE, shards);
        List<String> added = IntStream.range(0, people)
                .mapToObj(i -> "p" + i + "@example.org")
                .toList();
        added.forEach(small::subscribed);

        List<String> walked = new ArrayList<>();
        String cursor = null;
        int read = 0;
        do {
            Page<Subscriber> page = small.feature.pages().page(small.list(), SubscriberFilter.ALL, cursor, perPage);
            page.items().forEach(subscriber -> walked.add(subscriber.address().value()));
            cursor = page.continuation();
            read++;
        } while (cursor != null);

        assertThat(walked).isEqualTo(added);
        assertThat(read).isEqualTo(pages);
    }

    @ParameterizedTest
    @CsvSource({
        "true, , SUBSCRIBED",
        "false, , UNCONFIRMED",
        "true, SUBSCRIBED, SUBSCRIBED",
        "false, SUBSCRIBED, UNCONFIRMED",
        "false, UNSUBSCRIBED, UNSUBSCRIBED"
    })
    void nobodyIsSubscribedUnlessVerified(boolean verified, @Nullable SubscriberState stored, SubscriberState state) {
        Values values = Values.of("Verified", verified);

        assertThat(SubscriberRow.state(stored == null ? values : values.with("State", stored.stored())))
                .isEqualTo(state);
    }

    @Test
    void e27_aPageOfAListOfAnySizeReadsTheSameNumberOfRows() {
        IntStream.range(0, 50).forEach(i -> world.subscribed("p" + i + "@example.org"));
        long small = calls();
        IntStream.range(50, 700).forEach(i -> world.subscribed("p" + i + "@example.org"));

        assertThat(calls()).isLessThanOrEqualTo(4 * small);
    }

    @Test
    void pagesCanBeFilteredByTheBeginningOfTheAddress() {
        List.of("ann@example.org", "anna@example.org", "an+x@example.org", "bob@example.org")
                .forEach(world::subscribed);

        assertThat(walk(new SubscriberFilter("ANN", java.util.Set.of()), 1))
                .containsExactly("ann@example.org", "anna@example.org");
        assertThat(walk(new SubscriberFilter("an+", java.util.Set.of()), 10)).containsExactly("an+x@example.org");
    }

    @Test
    void pagesCanBeFilteredByState() {
        IntStream.range(0, 60).forEach(i -> world.subscribed("p" + i + "@example.org"));
        List<String> left = List.of("p17@example.org", "p3@example.org", "p42@example.org");
        left.forEach(text -> world.subscriptions().leave(LIST, address(text), LINK));

        assertThat(walk(new SubscriberFilter("", Set.of(SubscriberState.UNSUBSCRIBED)), 2))
                .isEqualTo(left);
    }

    @Test
    void peopleAreSortedAndFoundByAnIndexedFieldEachOnce() {
        List<String> cities = List.of("Aachen", "bonn", "Köln", "New York", "Newark", "ulm");
        for (int i = 0; i < 60; i++) {
            live("p%02d@example.org".formatted(59 - i), cities.get(i % cities.size()));
        }
        world.subscribed("nowhere@example.org");

        List<String> byCity = walk(SubscriberFilter.ALL.by(FieldSearch.all(CITY)), 7);
        assertThat(byCity).hasSize(60).doesNotHaveDuplicates();
        assertThat(byCity.stream()
                        .map(email -> world.get(email).profile().attributes().get("city"))
                        .distinct())
                .isEqualTo(cities);
        assertThat(walk(SubscriberFilter.ALL.by(beginning("NEW")), 3)).hasSize(20);
        assertThat(walk(SubscriberFilter.ALL.by(beginning("new  y")), 3)).hasSize(10);
    }

    @Test
    void anIndexRowLeftByAnOlderVersionFindsNobody() {
        live("ann@example.org", "Ulm");
        live("bob@example.org", "Ulm");
        String anns =
                SubscriberKeys.partition(LIST, world.get("ann@example.org").shard());
        world.tables()
                .write(SubscriptionStore.TABLE, anns, Write.upsert("ix:city:trier:ann@example.org", Values.none()));
        world.tables()
                .write(SubscriptionStore.TABLE, anns, Write.upsert("ix:city:trier:cy@example.org", Values.none()));

        assertThat(walk(SubscriberFilter.ALL.by(beginning("trier")), 10)).isEmpty();
        assertThat(walk(SubscriberFilter.ALL.by(FieldSearch.all(CITY)), 1))
                .containsExactly("ann@example.org", "bob@example.org");
    }

    @Test
    void aCursorOfAnotherSearchIsRefused() {
        live("ann@example.org", "Ulm");
        live("bob@example.org", "Ulm");
        String cursor =
                page(SubscriberFilter.ALL.by(FieldSearch.all(CITY)), null, 1).continuation();

        assertThat(cursor).isNotNull();
        assertThatThrownBy(() -> page(SubscriberFilter.ALL, cursor, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> page(SubscriberFilter.ALL.by(beginning("bonn")), cursor, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static FieldSearch beginning(String typed) {
        return FieldSearch.beginning(CITY, typed).orElseThrow();
    }

    private void live(String email, String city) {
        world.subscriptions().adminAdd(LIST, address(email), new Profile("", Map.of("city", city)), true, ADMIN);
    }

    @Test
    void peopleAddedAfterTheCursorAreSeenAndNobodyTwice() {
        IntStream.range(0, 20).forEach(i -> world.subscribed("m" + (10 + i) + "@example.org"));
        Page<Subscriber> first = page(SubscriberFilter.ALL, null, 10);
        world.subscribed("a@example.org");
        world.subscribed("z@example.org");

        Page<Subscriber> second = page(SubscriberFilter.ALL, first.continuation(), 100);

        assertThat(second.items())
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
        world.lists.create(Lists.with(
                SubscriptionWorld.list(new org.azuremail.list.ListName("one"), org.azuremail.list.OptIn.DOUBLE),
                "shards",
                1));
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
            Page<Subscriber> page = world.store().shardPage(new org.azuremail.list.ListName("one"), 0, after, 10);
            page.items().forEach(s -> walked.add(s.address().value()));
            after = page.continuation();
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
            Page<Subscriber> page = page(filter, cursor, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            page.items().forEach(subscriber -> walked.add(subscriber.address().value()));
            cursor = page.continuation();
        } while (cursor != null);
        return walked;
    }

    private Page<Subscriber> page(SubscriberFilter filter, @Nullable String cursor, int limit) {
        return world.feature.pages().page(world.list(), filter, cursor, limit);
    }
}
