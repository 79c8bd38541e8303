package org.azuremail.work.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.time.ManualTime;
import org.azuremail.work.run.Workshop;
import org.azuremail.work.service.ScheduledService;

/** Processes that run one scheduled service on one storage, driven by hand. */
abstract class OnScheduledRunners {

    static final Duration A_MINUTE = Duration.ofMinutes(1);

    final Workshop shop = new Workshop();
    final List<Instant> runs = new ArrayList<>();

    final class Chime implements ScheduledService {

        Duration interval;
        Runnable during = () -> {};
        boolean active;

        Chime(Duration interval) {
            this.interval = interval;
        }

        @Override
        public String name() {
            return "chime";
        }

        @Override
        public Duration interval() {
            return interval;
        }

        @Override
        public void run() {
            runs.add(shop.time.instant());
            during.run();
        }

        @Override
        public boolean active() {
            return active;
        }
    }

    /** Makes every process check at each tick, whatever interval it returned. */
    void run(List<LeasedRunner> processes, Duration duration, ManualTime... clocks) {
        Duration tick = duration.compareTo(Duration.ofMinutes(10)) < 0 ? Duration.ofMillis(100) : Duration.ofSeconds(2);
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(tick)) {
            processes.forEach(LeasedRunner::runOnce);
            shop.time.advance(tick);
            for (ManualTime clock : clocks) {
                clock.advance(tick);
            }
        }
    }

    List<LeasedRunner> processes(int count, Duration grace, ScheduledService service) {
        List<LeasedRunner> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            processes.add(new LeasedRunner(shop.process(shop.time, grace, i), service));
        }
        return processes;
    }

    void assertIntervalsAtLeast(Duration interval) {
        for (int i = 1; i < runs.size(); i++) {
            assertThat(Duration.between(runs.get(i - 1), runs.get(i))).isGreaterThanOrEqualTo(interval);
        }
    }
}
