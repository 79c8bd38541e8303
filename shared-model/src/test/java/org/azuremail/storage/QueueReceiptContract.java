package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract that only the current holder of an item may delete or renew it; earlier holders have lost it. */
interface QueueReceiptContract extends QueueContract {

    @Test
    default void staleReceiptDeletesAndRenewsNothing() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem lost = receiveOne(queue, SHORT);
        letPass(SHORT);
        QueueItem held = receiveOne(queue, LONG);
        assertThat(queues().delete(queue, lost)).isFalse();
        assertThat(queues().renew(queue, lost, LONG)).isEmpty();
        assertThat(queues().approximateCount(queue)).isEqualTo(1);
        assertThat(queues().delete(queue, held)).isTrue();
    }

    @Test
    default void receiptIsValidAfterItsTimeUntilTheItemIsDeliveredAgain() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, SHORT);
        letPass(SHORT);
        assertThat(queues().delete(queue, item)).isTrue();
    }

    @Test
    default void renewalHidesLongerAndReplacesTheReceipt() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, SHORT);
        QueueItem renewed = queues().renew(queue, item, LONG).orElseThrow();
        assertThat(renewed.id()).isEqualTo(item.id());
        assertThat(renewed.text()).isEqualTo("x");
        assertThat(renewed.dequeueCount()).isEqualTo(1);
        assertThat(renewed.visibleAt()).isAfter(item.visibleAt());
        letPass(SHORT);
        assertThat(queues().receive(queue, 1, LONG)).isEmpty();
        assertThat(queues().delete(queue, item)).isFalse();
        assertThat(queues().renew(queue, item, LONG)).isEmpty();
        assertThat(queues().delete(queue, renewed)).isTrue();
    }

    @Test
    default void renewalForZeroMakesTheItemVisibleAtOnce() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, LONG);
        assertThat(queues().renew(queue, item, Duration.ZERO)).isPresent();
        assertThat(receiveOne(queue, LONG).dequeueCount()).isEqualTo(2);
    }

    @Test
    default void deletedItemCannotBeDeletedOrRenewedAgain() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, LONG);
        assertThat(queues().delete(queue, item)).isTrue();
        assertThat(queues().delete(queue, item)).isFalse();
        assertThat(queues().renew(queue, item, LONG)).isEmpty();
    }

    @Test
    default void renewalIsNotCountedAsADelivery() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, LONG);
        for (int i = 0; i < 3; i++) {
            item = queues().renew(queue, item, LONG).orElseThrow();
        }
        assertThat(item.dequeueCount()).isEqualTo(1);
    }

    @Test
    default void oneOfManyDeletesWins() throws Exception {
        String queue = newQueue();
        for (int round = 0; round < 10; round++) {
            queues().send(queue, "x");
            QueueItem item = receiveOne(queue, LONG);
            List<Boolean> deleted = Together.run(4, thread -> () -> queues().delete(queue, item));
            assertThat(deleted).filteredOn(won -> won).hasSize(1);
        }
    }

    @Test
    default void oneOfManyRenewalsWins() throws Exception {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, LONG);
        List<Boolean> renewed = Together.run(
                4, thread -> () -> queues().renew(queue, item, LONG).isPresent());
        assertThat(renewed).filteredOn(won -> won).hasSize(1);
    }
}
