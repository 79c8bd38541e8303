package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Checks that the holder of a shard's turn also writes for the waiting callers, and the consequences for them if it
 * fails.
 */
class SharedTurnTest {

    private static final List<String> FIVE =
            List.of("bob@example.org", "cid@example.org", "dan@example.org", "eve@example.org", "fay@example.org");

    /** A shard whose writers take turns with the writers of shard 0. */
    private static final int SAME_TURN = 64;

    private final SubscriptionWorld world = new SubscriptionWorld(OptIn.SINGLE, 1);
    private final ShardWriter writer = newProcess();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger writes = new AtomicInteger();
    private final List<CompletableFuture<Versioned<Subscriber>>> answers = new ArrayList<>();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void allWhoWaitAreWrittenInOneBatch() {
        whileAnnHasTheTurn(FIVE, call -> {}, call -> {});

        assertThat(writes).hasValue(2);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
        everybodyIsThereOnce(6);
        answers.forEach(answer -> assertIsAsStored(answer.join()));
    }

    @Test
    void aBatchThatIsRefusedFallsApartAndEachGoesOnAlone() {
        whileAnnHasTheTurn(FIVE, shared -> join(newProcess(), "zoe@example.org"), call -> {});

        assertThat(writes).hasValue(1 + 1 + 1 + 5);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
        everybodyIsThereOnce(7);
    }

    @Test
    void whenNobodyKnowsOfABatchOnlyWhoseTurnItWasIsToldSo() {
        whileAnnHasTheTurn(FIVE, call -> {}, shared -> {
            throw new StorageException(StorageException.Reason.UNKNOWN, "the answer was lost", null);
        });

        assertThat(answers.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSize(1);
        everybodyIsThereOnce(6);
    }

    @Test
    void whenABatchDoesNotLeaveOnlyWhoseTurnItWasIsMissing() {
        whileAnnHasTheTurn(
                FIVE,
                shared -> {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "nothing was written", null);
                },
                call -> {});

        assertThat(answers.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSize(1);
        everybodyIsThereOnce(5);
    }

    @Test
    void thePersonWhoAsksTwiceAtTheSameTimeIsThereOnce() {
        whileAnnHasTheTurn(List.of("bob@example.org", "Bob@example.org", "cid@example.org"), call -> {}, call -> {});

        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
        assertThat(answers.get(0).join()).isEqualTo(answers.get(1).join());
        everybodyIsThereOnce(3);
    }

    @Test
    void aChangeThatAnotherProcessOvertakesIsWrittenAllTheSame() {
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (writesToShard(call)) {
                    world.simulated.hook(CallHook.NONE);
                    join(newProcess(), "zoe@example.org");
                }
            }
        });

        assertIsAsStored(join(writer, "ann@example.org"));

        everybodyIsThereOnce(2);
    }

    @Test
    void aPersonWhoWaitsForTheSameTurnAtAnotherShardIsWrittenToThatShard() {
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (!writesToShard(call)) {
                    return;
                }
                world.simulated.hook(CallHook.NONE);
                for (int shard : List.of(0, SAME_TURN)) {
                    String who = "in%d@example.org".formatted(shard);
                    answers.add(CompletableFuture.supplyAsync(() -> join(writer, shard, who), threads));
                }
                await().until(() -> writer.waiting(LIST, 0) == 2);
            }
        });
        join(writer, "ann@example.org");
        answers.forEach(SharedTurnTest::awaitEnd);

        for (int shard : List.of(0, SAME_TURN)) {
            for (int who : List.of(0, SAME_TURN)) {
                String row = SubscriberKeys.email("in%d@example.org".formatted(who));
                assertThat(world.tables().get(SubscriptionStore.TABLE, SubscriberKeys.partition(LIST, shard), row))
                        .as("%s in %d", row, shard)
                        .matches(found -> found.isPresent() == (who == shard));
            }
        }
    }

    /** One of the waiting callers read a list that was deleted meanwhile, and a new list has its name. */
    @Test
    void onlyWhoeverWantsToJoinADeletedListIsRefused() {
        MailingList deleted =
                Lists.with(world.list(), "createdAt", world.list().createdAt().minusSeconds(60));
        List.of("dan0", "dan1", "dan2").forEach(dan -> join(writer, dan + "@example.org"));
        List<CompletableFuture<?>> others = new ArrayList<>();
        List<CompletableFuture<?>> late = new ArrayList<>();
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (!writesToShard(call)) {
                    return;
                }
                world.simulated.hook(CallHook.NONE);
                for (int i = 0; i < 3; i++) {
                    String number = Integer.toString(i);
                    others.add(CompletableFuture.supplyAsync(() -> rename(number), threads));
                    late.add(CompletableFuture.supplyAsync(
                            () -> join(writer, deleted, 0, "late" + number + "@example.org"), threads));
                    others.add(CompletableFuture.supplyAsync(
                            () -> join(writer, "bob" + number + "@example.org"), threads));
                }
                await().until(() -> writer.waiting(LIST, 0) == 9);
            }
        });
        join(writer, "ann@example.org");

        others.forEach(CompletableFuture::join);
        assertThat(late).allSatisfy(one -> assertThatThrownBy(one::join).hasCauseInstanceOf(StorageException.class));
        everybodyIsThereOnce(7);
    }

    private Versioned<Subscriber> rename(String number) {
        return writer.change(
                LIST,
                0,
                address("dan" + number + "@example.org"),
                current -> SubscriberChange.store(
                        current.value().withProfile(new Profile("Dan", Map.of())), stored -> stored));
    }

    /** Holds Ann's batch up until all other callers wait. The batch after Ann's is the shared one. */
    private void whileAnnHasTheTurn(List<String> others, Consumer<Call> beforeShared, Consumer<Call> afterShared) {
        writes.set(0);
        world.simulated.resetCounters();
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (!writesToShard(call)) {
                    return;
                }
                int number = writes.incrementAndGet();
                if (number == 1) {
                    others.forEach(who -> answers.add(CompletableFuture.supplyAsync(() -> join(writer, who), threads)));
                    await().until(() -> writer.waiting(LIST, 0) == others.size());
                } else if (number == 2) {
                    beforeShared.accept(call);
                }
            }

            @Override
            public void after(Call call) {
                if (writesToShard(call) && writes.get() == 2) {
                    afterShared.accept(call);
                }
            }
        });
        join(writer, "ann@example.org");
        answers.forEach(SharedTurnTest::awaitEnd);
        world.simulated.hook(CallHook.NONE);
    }

    private static boolean writesToShard(Call call) {
        return call.kind() == Call.Kind.WRITE && call.place().equals(SubscriptionStore.TABLE);
    }

    private static void awaitEnd(CompletableFuture<?> answer) {
        try {
            answer.join();
        } catch (CompletionException told) {
            assertThat(told).hasCauseInstanceOf(StorageException.class);
        }
    }

    private void everybodyIsThereOnce(int people) {
        world.checkInvariants();
        assertThat(world.store().counts(world.list()).subscribed()).isEqualTo(people);
    }

    private void assertIsAsStored(Versioned<Subscriber> answer) {
        String key = SubscriberKeys.email(answer.value().address().folded());
        Row row = world.tables()
                .get(SubscriptionStore.TABLE, SubscriberKeys.partition(LIST, 0), key)
                .orElseThrow();
        assertThat(answer.etag()).as(key).isEqualTo(row.etag());
    }

    private ShardWriter newProcess() {
        return new ShardWriter(
                world.tables(),
                world.lists,
                new ShardChoreIndex(world.tables(), world.time),
                new PersonDirectory(world.tables(), Runnable::run),
                world.time);
    }

    private Versioned<Subscriber> join(ShardWriter process, String who) {
        return join(process, 0, who);
    }

    private Versioned<Subscriber> join(ShardWriter process, int shard, String who) {
        return join(process, world.list(), shard, who);
    }

    private Versioned<Subscriber> join(ShardWriter process, MailingList list, int shard, String who) {
        EmailAddress address = address(who);
        return process.change(
                list,
                shard,
                address,
                current -> current == null
                        ? SubscriberChange.store(first(shard, address), stored -> stored)
                        : SubscriberChange.nothing(current));
    }

    private Subscriber first(int shard, EmailAddress address) {
        return Subscriber.first(
                LIST,
                address,
                SubscriberGuid.next(shard, world.ids),
                SubscriberEvent.JOINED,
                Profile.NONE,
                Declaration.of(Declaration.Kind.JOINED, world.time.instant(), ADMIN));
    }
}
