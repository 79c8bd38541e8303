package org.azuremail.subscription.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.azuremail.list.Lists;
import org.azuremail.list.Logos;
import org.azuremail.list.OptIn;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.ListDeletion;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.Test;

/** Checks searches in the directory, and the rows that a process gathers for it. */
class PersonDirectoryTest extends OnPersonDirectory {

    @Test
    void aPersonIsFoundOnEveryListByTheBeginningOfTheAddressInAnyCase() {
        world.lists.create(Lists.with(SubscriptionWorld.list(OTHER, OptIn.SINGLE), "shards", 7));
        world.subscribe(ANN);
        world.subscribe(BOB);
        world.subscriptions().adminAdd(OTHER, address("Bob@example.org"), Profile.NONE, true, ADMIN);

        assertThat(found("bo")).containsExactly("bob@example.org news", "bob@example.org other_list");
        assertThat(found(" BOB@")).hasSize(2);
        assertThat(found("bob@example.org!")).isEmpty();
        assertThat(found("")).hasSize(3);
    }

    @Test
    void pagesOfAnyLengthShowEverybodyOnceInOrder() {
        List<String> all = IntStream.range(100, 400)
                .mapToObj(number -> "p" + number + "@example.org")
                .toList();
        directory().add(LIST, all.stream().map(SubscriptionWorld::address).toList());

        for (int length : new int[] {1, 7, 50, 299, 300, 1000}) {
            List<String> seen = new ArrayList<>();
            String cursor = null;
            do {
                Page<PersonDirectory.Entry> page = directory().search("p", cursor, length);
                assertThat(page.items()).hasSizeLessThanOrEqualTo(length);
                page.items().forEach(entry -> seen.add(entry.address().value()));
                cursor = page.continuation();
            } while (cursor != null);
            assertThat(seen).as("pages of %s", length).isEqualTo(all);
        }
        assertThatThrownBy(() -> directory().search("p", "?!", 10)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDeletedListLeavesNoEntries() {
        IntStream.range(0, 250).forEach(number -> world.subscribe("p" + number + "@example.org"));
        world.simulated
                .tables()
                .write(
                        PersonDirectory.TABLE,
                        firstRow().get(0).key().partition(),
                        Write.delete(firstRow().get(0)));
        ListDeletion deletion = new ListDeletion(
                world.lists,
                world.tables(),
                world.feature.confirmations(),
                list -> false,
                new Logos(world.storage.blobs(), world.ids),
                Signals.NONE,
                new PersonDirectory(world.tables(), Runnable::run),
                new ServiceChoreIndex(world.tables()),
                new SubscriptionStore(world.tables()),
                world.time);

        deletion.begin(LIST);
        try {
            deletion.service().run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }

        assertThat(found("")).isEmpty();
    }

    private List<Row> firstRow() {
        return Rows.all(world.simulated.tables(), PersonDirectory.TABLE, KeyRange.everything());
    }

    @Test
    void singlePeopleAreGatheredAndWrittenInBatches() {
        Queue<Runnable> later = new ArrayDeque<>();
        PersonDirectory gathering = new PersonDirectory(world.simulated.tables(), later::add);
        world.simulated.resetCounters();
        IntStream.range(100, 400).forEach(number -> gathering.add(LIST, address("p" + number + "@example.org")));

        assertThat(world.simulated.calls(Call.Kind.WRITE)).isZero();
        assertThat(later).hasSize(1);
        later.remove().run();

        assertThat(world.simulated.calls(Call.Kind.WRITE)).isBetween(1L, (long) PersonDirectory.PARTITIONS);
        assertThat(found("p")).hasSize(300);
        gathering.add(LIST, address(BOB));
        assertThat(later).hasSize(1);
    }

    @Test
    void aProcessFindsThePeopleItGathers() {
        PersonDirectory gathering = new PersonDirectory(world.simulated.tables(), never -> {});
        gathering.add(LIST, address(BOB));

        assertThat(gathering.search("bob", null, 10).items()).hasSize(1);
        gathering.add(LIST, address(ANN));
        assertThat(found("ann")).isEmpty();
        gathering.close();
        assertThat(found("ann")).hasSize(1);
    }

    @Test
    void beyondTheLimitTheCallerWritesGatheredRows() {
        PersonDirectory gathering = new PersonDirectory(world.simulated.tables(), never -> {});
        IntStream.range(0, 12_000).forEach(number -> gathering.add(LIST, address("p" + number + "@example.org")));

        assertThat(found("p")).hasSizeBetween(10_000, 10_100);
    }

    @Test
    void aRemovedPersonIsNoLongerGathered() {
        Queue<Runnable> later = new ArrayDeque<>();
        PersonDirectory gathering = new PersonDirectory(world.simulated.tables(), later::add);
        gathering.add(LIST, address(ANN));
        gathering.add(LIST, address(BOB));

        gathering.removeAll(LIST, List.of(address(BOB)));
        later.remove().run();

        assertThat(found("")).containsExactly(ANN + " " + LIST);
    }

    @Test
    void aRemovalWaitsForGatheredRowsToBeWritten() throws Exception {
        PersonDirectory gathering = new PersonDirectory(world.simulated.tables(), never -> {});
        gathering.add(LIST, address(BOB));
        CompletableFuture<Void> removal = new CompletableFuture<>();
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                world.simulated.hook(CallHook.NONE);
                Thread remover = new Thread(() -> {
                    gathering.removeAll(LIST, List.of(address(BOB)));
                    removal.complete(null);
                });
                remover.start();
                while (remover.getState() != Thread.State.WAITING && remover.isAlive()) {
                    Thread.onSpinWait();
                }
            }
        });

        gathering.flush();
        removal.get(30, TimeUnit.SECONDS);

        assertThat(found("")).isEmpty();
    }

    @Test
    void aFailedPartitionDoesNotAffectTheOthers() {
        PersonDirectory gathering = new PersonDirectory(world.simulated.tables(), never -> {});
        IntStream.range(0, 160).forEach(number -> gathering.add(LIST, address("p" + number + "@example.org")));
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                world.simulated.hook(CallHook.NONE);
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "the first batch", null);
            }
        });

        gathering.flush();

        assertThat(found("p")).hasSizeBetween(100, 159);
    }
}
