package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.work.DrivenWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Checks the cost of an idle service: it counts every storage call of all real services of all processes, with the
 * settings for Azure Storage (clocks of several hosts, long leases), while a manual clock runs for hours and months.
 */
class IdleCostIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MONTH = Duration.ofDays(30);

    /** Source 000 polls each queue every ten seconds. */
    private static final Duration NAIVE = Duration.ofSeconds(10);

    private static final double DOLLARS_PER_CALL = 0.01 / 10_000;

    private final DrivenWorld world = new DrivenWorld();
    private final IdleProcesses processes = new IdleProcesses(world);

    @AfterEach
    void close() {
        processes.close();
    }

    private long dearestHourOf(String... roles) {
        for (String role : roles) {
            processes.start(role);
        }
        world.run(HOUR);
        return dearestHour();
    }

    /** Returns the most calls in any hour of a day, and prints where they go. */
    private long dearestHour() {
        Map<String, Integer> dearest = Map.of();
        long max = 0;
        long day = 0;
        for (int hour = 0; hour < 24; hour++) {
            Map<String, Integer> places = new TreeMap<>();
            countInto(places);
            long calls = world.callsWithin(HOUR);
            day += calls;
            if (calls > max) {
                max = calls;
                dearest = places;
            }
        }
        System.out.printf("idle cost: %d calls a day, and of its dearest hour %s%n", day, dearest);
        return max;
    }

    private void countInto(Map<String, Integer> places) {
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                String partition = call.partition().replaceAll("[0-9].*", "");
                places.merge(call.kind() + " " + call.place() + "/" + partition, 1, Integer::sum);
            }
        });
    }

    private static void print(String what, long calls, Duration in) {
        double month = calls * ((double) MONTH.toSeconds() / in.toSeconds());
        System.out.printf(
                Locale.ROOT,
                "idle cost: %s: %d calls; a month %.0f, $%.4f%n",
                what,
                calls,
                month,
                month * DOLLARS_PER_CALL);
    }

    @Test
    @DisplayName("Q-1: two idle schedulers, three senders and a web cost fewer than 300 storage calls an hour")
    void q1_anIdleHourOfSixProcesses() {
        long calls = dearestHourOf("web", "scheduler", "scheduler", "sender", "sender", "sender");

        print("web, two schedulers and three senders, dearest of 24 hours", calls, HOUR);
        assertThat(calls).isBetween(60L, 299L);
    }

    @Test
    @DisplayName(
            "Q-1: one idle process a role costs fewer than 200 storage calls an hour, a message that stays paused next to"
                    + " nothing, and one that is scheduled for a later month a call for each look")
    void q1_anIdleHourOfThreeProcessesAndOfMessagesThatWait() {
        ConfigurableApplicationContext web = processes.start("web");
        processes.start("scheduler");
        processes.start("sender");
        world.run(HOUR);
        long idle = dearestHour();

        IdleMessage.writePaused(world, web);
        long first = world.callsWithin(HOUR);
        long paused = dearestHour();
        IdleMessage.write(web, world.time.instant().plus(MONTH));
        world.run(HOUR);
        long scheduled = dearestHour();

        print("web, scheduler and sender, dearest of 24 hours", idle, HOUR);
        print("the first hour of a paused message", first, HOUR);
        print("the dearest of the next 24 hours", paused, HOUR);
        print("and with a message scheduled for a month later", scheduled, HOUR);
        assertThat(idle).isBetween(60L, 199L);
        assertThat(paused - idle).isLessThan(30);
        assertThat(scheduled - paused).isLessThan(70);
    }

    @Test
    @DisplayName("Q18, A15, A57: a process that is alone and never polls costs fewer than 1,000 calls a month")
    void q18_a15_aMonthOfAProcessThatIsAlone() {
        Map<String, Integer> places = new TreeMap<>();
        processes.start("web,scheduler,sender", "azuremail.work.safety-poll=never");
        countInto(places);

        long calls = world.callsWithin(MONTH);
        System.out.printf("idle cost: %s%n", places);
        List<String> looks = places.keySet().stream()
                .filter(place -> place.startsWith(Call.Kind.RECEIVE + " "))
                .map(place -> place.substring(place.indexOf(' ') + 1, place.indexOf('/')))
                .toList();
        long queues = looks.size();
        long naive = naivePolling(looks, HOUR) * 24 * 30;

        print("all roles in one process, safety-poll=never, start included", calls, MONTH);
        print("naive polling of its " + queues + " queues", naive, MONTH);
        long one = naive / queues;
        print("naive polling of one queue (source 000 says $25.92)", one, MONTH);
        assertThat(calls).isLessThan(1000);
        assertThat(one).isEqualTo(259_200);
        assertThat(String.format(Locale.ROOT, "%.2f", one * DOLLARS_PER_CALL)).isEqualTo("0.26");
    }

    /** Polls existing queues every ten seconds, as the source's first loop does. */
    private long naivePolling(List<String> queues, Duration duration) {
        long before = world.storage.calls();
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(NAIVE)) {
            queues.forEach(queue -> world.storage.queues().receive(queue, 1, Duration.ofSeconds(30)));
            world.time.advance(NAIVE);
        }
        return world.storage.calls() - before;
    }
}
