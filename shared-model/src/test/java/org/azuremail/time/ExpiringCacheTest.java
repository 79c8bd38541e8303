package org.azuremail.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExpiringCacheTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final AtomicInteger reads = new AtomicInteger();
    private final ExpiringCache<String, Integer> cache = new ExpiringCache<>(TTL, 2, time);

    @Test
    void aValueIsReadAgainOnlyAfterItsTime() {
        assertThat(read("a")).isEqualTo(1);
        time.advance(TTL.minusMillis(1));
        assertThat(read("a")).isEqualTo(1);
        time.advance(Duration.ofMillis(1));
        assertThat(read("a")).isEqualTo(2);
    }

    @Test
    void aFurtherEntryReplacesAllOfAFullCache() {
        read("a");
        read("b");
        assertThat(read("a")).isEqualTo(1);

        read("c");

        assertThat(read("c")).isEqualTo(3);
        assertThat(read("a")).isEqualTo(4);
    }

    private int read(String key) {
        return cache.get(key, unread -> reads.incrementAndGet());
    }
}
