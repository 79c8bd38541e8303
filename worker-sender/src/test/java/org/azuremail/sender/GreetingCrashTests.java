package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Occasion;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that everybody is greeted once although a storage call goes wrong, or two runs meet. */
class GreetingCrashTests extends OnGreetings {

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
