package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.web.WebApplication;
import org.azuremail.work.DrivenWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * What the service costs while nothing happens: every storage call of all real services of all processes is counted, as on
 * Azure Storage (clocks of several hosts, long leases), while a clock that is driven by hand runs for hours and months.
 */
class IdleCostTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MONTH = Duration.ofDays(30);

    /** Source 000 polls each queue every ten seconds. */
    private static final Duration NAIVE = Duration.ofSeconds(10);

    private static final double DOLLARS_PER_CALL = 0.01 / 10_000;

    private final DrivenWorld world = new DrivenWorld();
    private final List<ConfigurableApplicationContext> processes = new ArrayList<>();

    private ConfigurableApplicationContext process(String roles, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "--azuremail.roles=" + roles,
                "--azuremail.work.foreign-lease-grace=60s",
                "--azuremail.bootstrap.admin-email=ann@example.org",
                "--azuremail.bootstrap.admin-password=seven wet otters",
                "--azuremail.password.strength=4",
                "--server.port=0"));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        ConfigurableApplicationContext started = new SpringApplicationBuilder(WebApplication.class)
                .initializers(context -> world.surround((GenericApplicationContext) context))
                .run(arguments.toArray(String[]::new));
        processes.add(started);
        world.begin(started);
        return started;
    }

    @AfterEach
    void close() {
        processes.forEach(ConfigurableApplicationContext::close);
    }

    private long dearestHourOf(String... roles) {
        for (String role : roles) {
            process(role);
        }
        world.run(HOUR);
        return dearestHour();
    }

    /** The most that any hour of a day costs; prints how that is made up. */
    private long dearestHour() {
        Map<String, Integer> dearest = Map.of();
        long most = 0;
        long day = 0;
        for (int hour = 0; hour < 24; hour++) {
            Map<String, Integer> places = new TreeMap<>();
            countInto(places);
            long calls = world.callsWithin(HOUR);
            day += calls;
            if (calls > most) {
                most = calls;
                dearest = places;
            }
        }
        System.out.printf("idle cost: %d calls a day, and of its dearest hour %s%n", day, dearest);
        return most;
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
    @DisplayName(
            "Q-1: one idle process a role costs fewer than 200 storage calls an hour; naive polling of the same queues")
    void q1_anIdleHourOfThreeProcesses() {
        long calls = dearestHourOf("web", "scheduler", "sender");

        print("web, scheduler and sender, dearest of 24 hours", calls, HOUR);
        assertThat(calls).isBetween(60L, 199L);
    }

    @Test
    @DisplayName("Q-1: two idle schedulers, three senders and a web cost fewer than 300 storage calls an hour")
    void q1_anIdleHourOfSixProcesses() {
        long calls = dearestHourOf("web", "scheduler", "scheduler", "sender", "sender", "sender");

        print("web, two schedulers and three senders, dearest of 24 hours", calls, HOUR);
        assertThat(calls).isBetween(60L, 299L);
    }

    @Test
    @DisplayName("Q18, A15, A57: a process that is alone and never polls costs fewer than 1,000 calls a month")
    void q18_a15_aMonthOfAProcessThatIsAlone() {
        Map<String, Integer> places = new TreeMap<>();
        process("web,scheduler,sender", "azuremail.work.safety-poll=never");
        countInto(places);

        long calls = world.callsWithin(MONTH);
        System.out.printf("idle cost: %s%n", places);
        List<String> looks = places.keySet().stream()
                .filter(place -> place.startsWith(Call.Kind.RECEIVE + " "))
                .map(place -> place.substring(place.indexOf(' ') + 1, place.indexOf('/')))
                .toList();
        long queues = looks.size();
        long naive = naivePolling(looks, Duration.ofDays(1)) * 30;

        print("all roles in one process, safety-poll=never, start included", calls, MONTH);
        print("naive polling of its " + queues + " queues", naive, MONTH);
        long one = naive / queues;
        print("naive polling of one queue (source 000 says $25.92)", one, MONTH);
        assertThat(calls).isLessThan(1000);
        assertThat(one).isEqualTo(259_200);
        assertThat(String.format(Locale.ROOT, "%.2f", one * DOLLARS_PER_CALL)).isEqualTo("0.26");
    }

    /** Looks every ten seconds at queues that exist, as the source's first loop does. */
    private long naivePolling(List<String> queues, Duration duration) {
        long before = world.storage.calls();
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(NAIVE)) {
            queues.forEach(queue -> world.storage.queues().receive(queue, 1, Duration.ofSeconds(30)));
            world.time.advance(NAIVE);
        }
        return world.storage.calls() - before;
    }

    @Test
    @DisplayName("Q-2: a message that is stored while all are idle is taken up within a second of its signal")
    void q2_aMessageIsTakenUpWithinASecondOfItsSignal() {
        ConfigurableApplicationContext web = process("web");
        process("scheduler");
        process("sender");
        world.run(HOUR.multipliedBy(3));
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(1));

        assertThat(IdleMessage.sent(web, ref)).isEqualTo(1);
    }

    @Test
    @DisplayName("Q-3: without any signal the holder of the lease takes it up within 60 seconds")
    void q3_aMessageIsTakenUpWithinAMinuteWithoutAnySignal() {
        ConfigurableApplicationContext web = process("web");
        process("scheduler");
        process("sender");
        world.run(HOUR.multipliedBy(3));
        world.signalsArrive(false);
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(60));

        assertThat(IdleMessage.taken(web, ref)).isTrue();
        world.run(Duration.ofMinutes(17));
        assertThat(IdleMessage.sent(web, ref))
                .as("at the next safety poll of a sender")
                .isEqualTo(1);
    }

    @Test
    @DisplayName("Q17: a process that is alone sends a message at its date, without any look before")
    void q17_aProcessThatIsAloneKeepsTheDate() {
        ConfigurableApplicationContext alone = process("web,scheduler,sender", "azuremail.work.safety-poll=never");
        world.run(HOUR.multipliedBy(3));
        MessageRef ref = IdleMessage.write(alone, world.time.instant().plus(HOUR));
        world.run(HOUR.minusSeconds(1));
        assertThat(IdleMessage.taken(alone, ref)).isFalse();

        world.run(Duration.ofSeconds(2));

        assertThat(IdleMessage.sent(alone, ref)).isEqualTo(1);
    }

    @Test
    @DisplayName("Q-5: a sender dies with the work item in its hands, and another one goes on")
    void q5_aDeadSendersRangeGoesOn() {
        ConfigurableApplicationContext web = process("web");
        process("scheduler");
        process("sender");
        world.run(HOUR);
        boolean[] held = {false};
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.SEND && call.place().equals("azuremailqueue") && !held[0]) {
                    held[0] = true;
                    world.storage.queues().receive("azuremailqueue", 1, Duration.ofSeconds(60));
                }
            }
        });
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(50));
        assertThat(held[0]).isTrue();
        assertThat(IdleMessage.sent(web, ref)).isZero();
        world.run(Duration.ofSeconds(80));

        assertThat(IdleMessage.sent(web, ref)).isEqualTo(1);
    }
}
