package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Occasion;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that everybody is greeted once although a storage call goes wrong, or two runs meet. */
class GreetingCrashIT extends OnGreetings {

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyStorageCallMayGoWrongOnceAndEachIsGreetedOnce(Mode mode) {
        long calls = campaign(null).calls();
        assertThat(calls).isGreaterThan(60);
        for (long call = 1; call <= calls; call++) {
            Faults faults = new Faults(mode, call, () -> {});
            campaign(faults);
            assertThat(greeted())
                    .as(mode + " at call " + call)
                    .isEqualTo(Map.of("ann", 1, "bob", 1, "cid", 1, "dan", 1, "eve", 1, "late", 1));
        }
    }

    private Faults campaign(Faults given) {
        Faults faults = given == null ? Faults.none() : given;
        inDoubt = false;
        world = new SimulatedWorld();
        list = world.list("club", 0, 3);
        LocalDate day = today();
        List.of("ann", "bob", "cid", "dan").forEach(name -> person(name, day));
        person("eve", day.plusDays(1));
        person("fay", day.plusDays(5));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        world.restart(faults);
        send();
        world.time.advance(Duration.ofDays(1));
        step(process -> {
            if (process.feature
                    .store()
                    .find(process.lists.find(list).orElseThrow().value(), mail("late"))
                    .isEmpty()) {
                person("late", day);
            }
        });
        send();
        days(1);
        world.restart();
        return faults;
    }

    /**
     * A mark exists before its email row is written, for several pages if few people have their day. The process that
     * takes over finds the marks on every page behind the checkpoint.
     */
    @Test
    void aPersonWhoWasMarkedBeforeADeathIsGreetedWhateverTheirDayIsByThen() throws Exception {
        boolean died = true;
        int late = 0;
        for (long call = 1; died; call++) {
            inDoubt = false;
            world = new SimulatedWorld();
            list = world.list("club", 0, 0);
            IntStream.range(0, 40).forEach(i -> person("p%02d".formatted(i), today().plusDays(i % 38 < 2 ? 0 : 100)));
            greeting(Occasion.Kind.BIRTHDAY, 0);
            world.restart(new Faults(Mode.DIES_AFTER, call, () -> {}));
            died = diesOnTheFirstDay();
            Set<String> before = marked();
            List.of("p00", "p01", "p38", "p39").forEach(name -> change(name, today().plusDays(50)));
            send();

            assertThat(greeted()).as("dies after call %s", call).containsOnlyKeys(before);
            late += died && before.size() == 4 ? 1 : 0;
        }
        assertThat(late).isPositive();
    }

    private boolean diesOnTheFirstDay() throws Exception {
        try {
            for (int turn = 0; turn < 5; turn++) {
                SimulatedProcess process = world.process;
                process.greetings().service(process.messages, process.lists).run();
                process.turn();
                world.time.advance(Duration.ofSeconds(10));
            }
            return false;
        } catch (ProcessDied died) {
            inDoubt = world.anyHanding();
            return true;
        } finally {
            world.restart();
        }
    }

    @Test
    void theRunsOfTwoDaysAtTheSameTimeGreetEachOnce() {
        IntStream.range(0, 30).forEach(number -> person("p%02d".formatted(number), today()));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        for (int day = 0; day < 2; day++) {
            step(process ->
                    process.greetings().service(process.messages, process.lists).run());
            world.time.advance(Duration.ofDays(1));
        }
        assertThat(new MessageStore(world.storage.tables()).active()).hasSize(2);
        send();
        assertThat(greeted()).hasSize(30).allSatisfy((name, times) -> assertThat(times)
                .isEqualTo(1));
    }
}
