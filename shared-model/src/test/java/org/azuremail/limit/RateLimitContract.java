package org.azuremail.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Together;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One rate of senders in several processes, whose clock is driven, on any storage. */
public interface RateLimitContract {

    /** The storage under test; other tests may use it as well. */
    Storage storage();

    /** Processes that share one limit, each with an instance of its own. */
    private List<RateLimit> processes(ManualTime time, int rate) {
        String name = FreshNames.next();
        return List.of(new RateLimit(storage(), time, name, rate), new RateLimit(storage(), time, name, rate));
    }

    private static int mailsIn(Duration duration, List<RateLimit> senders, ManualTime time) {
        Duration end = time.elapsed().plus(duration);
        int mails = 0;
        while (time.elapsed().compareTo(end) < 0) {
            for (RateLimit sender : senders) {
                mails += sender.take(10).isZero() ? 10 : 0;
            }
            time.advance(Duration.ofMillis(50));
        }
        return mails;
    }

    @Test
    @DisplayName("Two processes together keep the rate and use it; a change reaches both, and outlives them")
    default void twoProcessesKeepOneRate() {
        ManualTime time = new ManualTime();
        List<RateLimit> senders = processes(time, 100);
        assertThat(mailsIn(Duration.ofSeconds(20), senders, time)).isBetween(1_700, 2_250);

        senders.get(0).changeRate(20);
        mailsIn(Duration.ofSeconds(10), senders, time);

        assertThat(mailsIn(Duration.ofSeconds(20), senders, time)).isBetween(340, 460);
        assertThat(senders.get(1).rate()).isEqualTo(20);
    }

    @Test
    @DisplayName("Many threads of two processes at one moment get no more than the rate")
    default void threadsShareOneLimit() throws Exception {
        List<RateLimit> processes = processes(new ManualTime(), 1_000);

        List<Integer> mails = Together.run(8, thread -> () -> {
            int own = 0;
            for (int i = 0; i < 500; i++) {
                own += processes.get(thread % 2).take(10).isZero() ? 10 : 0;
            }
            return own;
        });

        assertThat(mails.stream().mapToInt(Integer::intValue).sum()).isBetween(900, 1_000);
    }
}
