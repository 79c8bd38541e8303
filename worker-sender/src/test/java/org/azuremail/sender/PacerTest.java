package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.Test;

class PacerTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Pacer pacer = new Pacer();

    private static RangeKey range(int number) {
        return new RangeKey(new ShardKey(new MessageRef(7), 0), number);
    }

    @Test
    void r16_rangesLookOneAfterTheOtherAndMoveUpIfOneIsGone() {
        Instant free = START.plus(MINUTE);
        for (int number = 0; number < 4; number++) {
            assertThat(pacer.next(range(number), START, free, MINUTE))
                    .isEqualTo(free.plus(MINUTE.multipliedBy(number)));
        }

        Instant later = free.plus(MINUTE.multipliedBy(2)).plusSeconds(30);
        assertThat(pacer.next(range(2), later, later, MINUTE))
                .as("behind the fourth")
                .isEqualTo(later.plusSeconds(90));
        Instant muchLater = later.plus(Duration.ofMinutes(20));
        assertThat(pacer.next(range(3), muchLater, muchLater, MINUTE))
                .as("nobody else came")
                .isEqualTo(muchLater);
    }

    /**
     * One poll a minute for each range would make a hundred thousand polls. Polls of each range only in its turn make a
     * thousand.
     */
    @Test
    void r16_hundredsOfRangesCostFewLooksAndTheLimitIsUsed() {
        int ranges = 200;
        int lots = 5;
        Map<RangeKey, Integer> left = new HashMap<>();
        Map<RangeKey, Instant> looks = new HashMap<>();
        PriorityQueue<RangeKey> queue = new PriorityQueue<>(Comparator.comparing(looks::get));
        for (int number = 0; number < ranges; number++) {
            left.put(range(number), lots);
            looks.put(range(number), START);
            queue.add(range(number));
        }
        Instant free = START;
        Instant now = START;
        int looked = 0;
        while (!queue.isEmpty()) {
            RangeKey range = queue.remove();
            now = looks.get(range);
            looked++;
            if (!now.isBefore(free)) {
                free = now.plus(MINUTE);
                left.merge(range, -1, Integer::sum);
            }
            if (left.get(range) > 0) {
                looks.put(range, pacer.next(range, now, free, MINUTE));
                queue.add(range);
            }
        }

        assertThat(looked).isLessThan(8 * ranges * lots);
        assertThat(Duration.between(START, now)).isLessThan(MINUTE.multipliedBy(ranges * lots * 11L / 10));
    }
}
