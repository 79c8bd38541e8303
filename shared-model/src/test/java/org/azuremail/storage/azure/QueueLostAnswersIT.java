package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("I6: queue calls whose answer is lost are done, repeated, and lose nothing")
class QueueLostAnswersIT {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final LostAnswers answers = new LostAnswers();
    private final QueueStore store = new AzureQueueStore(TestClients.of(answers).queues());
    private final String queue = FreshNames.next();

    @BeforeEach
    void createQueue() {
        store.createQueue(queue);
    }

    private QueueItem received(Duration visibility) {
        store.send(queue, "x");
        return store.receive(queue, 1, visibility).get(0);
    }

    @Test
    void queueIsCreated() {
        String another = FreshNames.next();
        answers.loseThe(1);

        store.createQueue(another);

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(store.approximateCount(another)).isZero();
    }

    @Test
    void lostSendLeavesAtMostTwoItems() {
        answers.loseThe(1);

        store.send(queue, "x");

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(store.receive(queue, 32, LONG)).extracting(QueueItem::text).containsExactly("x", "x");
    }

    @Test
    void itemsOfALostReceiveAreDeliveredAgainLater() {
        store.send(queue, "x");
        answers.loseThe(1);

        assertThat(store.receive(queue, 1, Duration.ofSeconds(1))).isEmpty();

        assertThat(answers.lost()).isEqualTo(1);
        List<QueueItem> again = new ArrayList<>();
        await().until(() -> again.addAll(store.receive(queue, 1, LONG)));
        assertThat(again.get(0).text()).isEqualTo("x");
        assertThat(again.get(0).dequeueCount()).isEqualTo(2);
    }

    @Test
    void lostRenewalShowsADeadReceiptAndStillHides() {
        QueueItem item = received(Duration.ofSeconds(1));
        answers.loseThe(1);

        assertThat(store.renew(queue, item, LONG)).isEmpty();

        assertThat(answers.lost()).isEqualTo(1);
        RealTime.letPass(Duration.ofSeconds(1));
        assertThat(store.receive(queue, 1, LONG)).isEmpty();
        assertThat(store.approximateCount(queue)).isEqualTo(1);
    }

    @Test
    void lostDeletionIsRefusedWhenRepeated() {
        QueueItem item = received(LONG);
        answers.loseThe(1);

        assertThat(store.delete(queue, item)).isFalse();

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(store.approximateCount(queue)).isZero();
    }

    @Test
    void peeksAndCountsAreRepeated() {
        store.send(queue, "x");
        answers.loseEvery(2);

        for (int i = 0; i < 3; i++) {
            assertThat(store.peek(queue, 1)).hasSize(1);
            assertThat(store.approximateCount(queue)).isEqualTo(1);
        }

        assertThat(answers.lost()).isPositive();
    }

    @Test
    void everyThirdAnswerLostLosesNothing() {
        Set<String> sent = new TreeSet<>();
        Set<String> handled = new TreeSet<>();
        answers.loseEvery(3);
        IntStream.range(0, 40).forEach(i -> {
            store.send(queue, "item" + i);
            sent.add("item" + i);
        });

        await().atMost(Duration.ofMinutes(1)).until(() -> {
            for (QueueItem item : store.receive(queue, 7, Duration.ofSeconds(1))) {
                handled.add(item.text());
                store.delete(queue, item);
            }
            return store.approximateCount(queue) == 0;
        });

        assertThat(handled).isEqualTo(sent);
        assertThat(answers.lost()).isGreaterThan(20);
    }
}
