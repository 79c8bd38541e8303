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

/** The contract of a rate that senders in several processes share, with a driven clock, on any storage. */
public interface RateLimitContract {

    /** Returns the storage under test, which other tests may share. */
    Storage storage();

    /** Returns processes that share one limit, each with its own instance. */
    private List<RateLimit> processes(ManualTime time, Limits limits) {
        String name = FreshNames.next();
        return List.of(new RateLimit(storage(), time, name, limits), new RateLimit(storage(), time, name, limits));
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
        List<RateLimit> senders = processes(time, Limits.perSecond(100));
        assertThat(mailsIn(Duration.ofSeconds(20), senders, time)).isBetween(1_700, 2_250);

        senders.get(0).change(Limits.perSecond(20));
        mailsIn(Duration.ofSeconds(10), senders, time);

        assertThat(mailsIn(Duration.ofSeconds(20), senders, time)).isBetween(340, 460);
        assertThat(senders.get(1).limits()).isEqualTo(Limits.perSecond(20));
    }

    @Test
    @DisplayName("Two processes together keep the limits of a minute and an hour, and a third one knows what they took")
    default void processesShareOneHour() {
        ManualTime time = new ManualTime();
        List<RateLimit> senders = processes(time, new Limits(0, 60, 200, 0));

        assertThat(mailsIn(Duration.ofSeconds(50), senders, time)).isEqualTo(60);
        assertThat(mailsIn(Duration.ofSeconds(250), senders, time)).isEqualTo(140);
        assertThat(senders.get(0).take(1).duration()).isGreaterThan(Duration.ofMinutes(50));
        assertThat(senders.get(1).limits()).isEqualTo(new Limits(0, 60, 200, 0));
    }

    @Test
    @DisplayName("Many threads of two processes at one moment get no more than the hour, and all of it")
    default void threadsShareOneHour() throws Exception {
        List<RateLimit> processes = processes(new ManualTime(), new Limits(0, 0, 400, 0));

        List<Integer> mails = Together.run(4, thread -> () -> {
            int own = 0;
            for (int i = 0; i < 60; i++) {
                own += processes.get(thread % 2).take(10).isZero() ? 10 : 0;
            }
            return own;
        });

        assertThat(mails.stream().mapToInt(Integer::intValue).sum()).isEqualTo(400);
    }

    @Test
    @DisplayName("Many threads of two processes at one moment get no more than the rate")
    default void threadsShareOneLimit() throws Exception {
        List<RateLimit> processes = processes(new ManualTime(), Limits.perSecond(1_000));

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
