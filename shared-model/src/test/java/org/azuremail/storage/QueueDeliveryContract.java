package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract that each item is delivered, to one receiver at a time. */
interface QueueDeliveryContract extends QueueContract {

    @Test
    default void sentItemIsDelivered() {
        String queue = newQueue();
        queues().send(queue, "hello");
        QueueItem item = receiveOne(queue, LONG);
        assertThat(item.text()).isEqualTo("hello");
        assertThat(item.dequeueCount()).isEqualTo(1);
        assertThat(item.id()).isNotEmpty();
        assertThat(item.receipt()).isNotEmpty();
        assertThat(Duration.between(item.insertedAt(), item.visibleAt()))
                .isBetween(LONG.minusMinutes(1), LONG.plusMinutes(1));
    }

    @Test
    default void itemsThatAreSentTogetherAreSeparateItems() {
        String queue = newQueue();
        List<String> texts =
                IntStream.range(0, 100).mapToObj(number -> "item " + number).toList();
        queues().sendAll(queue, texts);

        List<String> received = new ArrayList<>();
        List<QueueItem> next = queues().receive(queue, QueueStore.MAX_RECEIVE, LONG);
        while (!next.isEmpty()) {
            next.forEach(item -> {
                received.add(item.text());
                assertThat(item.dequeueCount()).isEqualTo(1);
                assertThat(queues().delete(queue, item)).isTrue();
            });
            next = queues().receive(queue, QueueStore.MAX_RECEIVE, LONG);
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(texts);
        queues().sendAll(queue, List.of());
        assertThat(queues().approximateCount(queue)).isZero();
    }

    @Test
    default void emptyQueueDeliversNothing() {
        String queue = newQueue();
        assertThat(queues().receive(queue, QueueStore.MAX_RECEIVE, LONG)).isEmpty();
        assertThat(queues().peek(queue, 1)).isEmpty();
        assertThat(queues().approximateCount(queue)).isZero();
    }

    @Test
    default void creatingAQueueAgainKeepsItsItems() {
        String queue = newQueue();
        queues().send(queue, "kept");
        queues().createQueue(queue);
        assertThat(receiveOne(queue, LONG).text()).isEqualTo("kept");
    }

    @Test
    default void queueThatDoesNotExistIsAnError() {
        String absent = FreshNames.next();
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> queues().send(absent, "x"));
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> queues().sendAll(absent, List.of("x", "y")));
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> queues().receive(absent, 1, LONG));
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> queues().peek(absent, 1));
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> queues().approximateCount(absent));
    }

    @Test
    default void receivedItemIsHiddenAndThenDeliveredAgain() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem first = receiveOne(queue, SHORT);
        assertThat(queues().receive(queue, 1, LONG)).isEmpty();
        letPass(SHORT);
        QueueItem second = receiveOne(queue, LONG);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.insertedAt()).isEqualTo(first.insertedAt());
        assertThat(second.receipt()).isNotEqualTo(first.receipt());
        assertThat(second.dequeueCount()).isEqualTo(2);
    }

    @Test
    default void delayedItemIsDeliveredAfterItsDelay() {
        String queue = newQueue();
        queues().send(queue, "later", SHORT);
        assertThat(queues().receive(queue, 1, LONG)).isEmpty();
        assertThat(queues().peek(queue, 1)).isEmpty();
        letPass(SHORT);
        QueueItem item = receiveOne(queue, LONG);
        assertThat(item.text()).isEqualTo("later");
        assertThat(item.dequeueCount()).isEqualTo(1);
    }

    @Test
    default void deletedItemIsNeverDeliveredAgain() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, SHORT);
        assertThat(queues().delete(queue, item)).isTrue();
        letPass(SHORT);
        assertThat(queues().receive(queue, 1, LONG)).isEmpty();
        assertThat(queues().approximateCount(queue)).isZero();
    }

    @Test
    default void receiveReturnsNoMoreThanAsked() {
        String queue = newQueue();
        IntStream.range(0, 40).forEach(i -> queues().send(queue, "item" + i));
        assertThat(queues().receive(queue, 5, LONG)).hasSizeBetween(1, 5);
        assertThat(queues().receive(queue, QueueStore.MAX_RECEIVE, LONG)).hasSizeBetween(1, QueueStore.MAX_RECEIVE);
        drain(queue);
        assertThat(queues().approximateCount(queue)).isEqualTo(40);
    }

    @Test
    default void everyItemIsDeliveredOnce() {
        String queue = newQueue();
        IntStream.range(0, 100).forEach(i -> queues().send(queue, "item" + i));
        assertThat(drain(queue))
                .extracting(QueueItem::text)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 100).mapToObj(i -> "item" + i).toList());
    }

    @Test
    default void sameTextSentTwiceIsTwoItems() {
        String queue = newQueue();
        queues().send(queue, "same");
        queues().send(queue, "same");
        assertThat(drain(queue)).extracting(QueueItem::id).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    default void queuesDoNotMix() {
        String one = newQueue();
        String other = newQueue();
        queues().send(one, "x");
        assertThat(queues().receive(other, 1, LONG)).isEmpty();
        assertThat(receiveOne(one, LONG).text()).isEqualTo("x");
    }

    @Test
    default void peekTakesNoItemAndGivesNoReceipt() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem peeked = queues().peek(queue, QueueStore.MAX_RECEIVE).get(0);
        assertThat(peeked.text()).isEqualTo("x");
        assertThat(peeked.receipt()).isEmpty();
        assertThat(peeked.dequeueCount()).isZero();
        assertThat(receiveOne(queue, LONG).dequeueCount()).isEqualTo(1);
        assertThat(queues().peek(queue, 1)).isEmpty();
    }

    @Test
    default void hiddenItemsAreCounted() {
        String queue = newQueue();
        queues().send(queue, "visible");
        queues().send(queue, "later", LONG);
        queues().receive(queue, 1, LONG);
        assertThat(queues().approximateCount(queue)).isEqualTo(2);
    }

    @Test
    default void concurrentReceiversNeverShareAnItem() throws Exception {
        String queue = newQueue();
        int items = 200;
        IntStream.range(0, items).forEach(i -> queues().send(queue, "item" + i));
        List<List<QueueItem>> received = Together.run(4, thread -> () -> drain(queue));
        List<QueueItem> all = new ArrayList<>();
        received.forEach(all::addAll);
        all.addAll(drain(queue));
        assertThat(all).extracting(QueueItem::text).hasSize(items).doesNotHaveDuplicates();
        assertThat(all).extracting(QueueItem::dequeueCount).containsOnly(1);
    }

    @Test
    default void concurrentSendersLoseNothing() throws Exception {
        String queue = newQueue();
        Together.run(4, thread -> () -> {
            IntStream.range(0, 25).forEach(i -> queues().send(queue, thread + "-" + i));
            return null;
        });
        assertThat(drain(queue)).extracting(QueueItem::text).hasSize(100).doesNotHaveDuplicates();
    }
}
