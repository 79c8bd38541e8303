package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of texts that are returned unchanged, and of calls that every back end refuses. */
interface QueueLimitContract extends QueueContract {

    @Test
    default void anyTextIsReadBack() {
        String queue = newQueue();
        for (String text : List.of(
                "2012-10-15,634852858215726983,@3:17,0",
                "line\r\nline\ttab",
                "< & > \" ' ]]>",
                "日本語 \uD83D\uDE80",
                "\u0000\u0001\u001f\ufeff\uffff",
                "x".repeat(QueueStore.MAX_TEXT_BYTES),
                "é".repeat(QueueStore.MAX_TEXT_BYTES / 2))) {
            queues().send(queue, text);
            QueueItem item = receiveOne(queue, LONG);
            assertThat(item.text()).isEqualTo(text);
            assertThat(queues().delete(queue, item)).isTrue();
        }
    }

    @Test
    default void tooLargeTextIsRefused() {
        String queue = newQueue();
        for (String text :
                List.of("x".repeat(QueueStore.MAX_TEXT_BYTES + 1), "é".repeat(QueueStore.MAX_TEXT_BYTES / 2) + "x")) {
            assertThatIllegalArgumentException().isThrownBy(() -> queues().send(queue, text));
            assertThatIllegalArgumentException().isThrownBy(() -> queues().sendAll(queue, List.of("x", text)));
        }
        assertThat(queues().approximateCount(queue)).isZero();
    }

    @Test
    default void halfASurrogatePairIsRefused() {
        String queue = newQueue();
        assertThatIllegalArgumentException().isThrownBy(() -> queues().send(queue, "\uDE80"));
    }

    @Test
    default void moreThanThirtyTwoAtOnceAreRefused() {
        String queue = newQueue();
        for (int max : new int[] {-1, 0, QueueStore.MAX_RECEIVE + 1}) {
            assertThatIllegalArgumentException().isThrownBy(() -> queues().receive(queue, max, LONG));
            assertThatIllegalArgumentException().isThrownBy(() -> queues().peek(queue, max));
        }
    }

    @Test
    default void hidingForLessThanNothingOrMoreThanSevenDaysIsRefused() {
        String queue = newQueue();
        queues().send(queue, "x");
        QueueItem item = receiveOne(queue, QueueStore.MAX_VISIBILITY);
        for (Duration duration : List.of(Duration.ofSeconds(-1), QueueStore.MAX_VISIBILITY.plusSeconds(1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> queues().send(queue, "y", duration));
            assertThatIllegalArgumentException().isThrownBy(() -> queues().receive(queue, 1, duration));
            assertThatIllegalArgumentException().isThrownBy(() -> queues().renew(queue, item, duration));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> queues().receive(queue, 1, Duration.ZERO));
        assertThat(queues().delete(queue, item)).isTrue();
    }

    @Test
    default void forbiddenNamesAreRefused() {
        for (String queue :
                List.of("", "ab", "Upper", "-dash", "dash-", "two--dashes", "under_score", "a.b", "x".repeat(64))) {
            assertThatIllegalArgumentException().isThrownBy(() -> queues().createQueue(queue));
            assertThatIllegalArgumentException().isThrownBy(() -> queues().send(queue, "x"));
            assertThatIllegalArgumentException().isThrownBy(() -> queues().receive(queue, 1, LONG));
        }
    }
}
