package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks the waiting times after failures of a watcher. */
class WatcherRetryTest {

    @Test
    @DisplayName(
            "O-12: feeds and mailboxes rest twice as long after each failure, up to their longest rest, and never give up")
    void o12_restsDouble() {
        Duration longest = Duration.ofHours(1);

        assertThat(IntStream.rangeClosed(1, 8)
                        .mapToObj(failures -> WatcherKind.exponentialBackoff(failures, longest))
                        .map(Optional::orElseThrow)
                        .map(Duration::toMinutes))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
        assertThat(WatcherKind.exponentialBackoff(1_000_000, longest)).contains(longest);
        assertThat(WatcherKind.exponentialBackoff(1_000_000, Duration.ofDays(1)))
                .contains(Duration.ofDays(1));
    }
}
