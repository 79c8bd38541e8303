package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Map;
import java.util.Optional;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.Greetings;
import org.azuremail.list.ListName;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.Occasion;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks on which days greetings of each kind are sent, as in the table in docs/greetings.md. */
class GreetingTests extends OnGreetings {

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 0"})
    void aSubscriberWhoAppearsOneOrTwoDaysLateIsStillGreeted(int daysLate, int times) {
        greeting(Occasion.Kind.BIRTHDAY, 0);
        LocalDate day = today();
        send();
        days(daysLate);
        person("late", day);
        days(1);
        assertThat(greeted().getOrDefault("late", 0)).isEqualTo(times);
    }

    @Test
    void aSequenceReachesEachAfterTheirOwnDays() {
        greeting(Occasion.Kind.AFTER_JOINING, 3);
        person("ann", today());
        send();
        days(1);
        person("bob", today());
        days(1);
        assertThat(greeted()).isEmpty();
        days(1);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
        days(3);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1, "bob", 1));
    }

    @Test
    void afterAnOutageOfAMonthEverybodyIsGreetedWhoseDayWasInIt() {
        person("ann", today());
        person("bob", today().plusDays(9));
        person("cid", today().plusDays(29));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        world.time.advance(Duration.ofDays(29));
        send();
        assertThat(greeted()).isEqualTo(Map.of("ann", 1, "bob", 1, "cid", 1));
    }

    @Test
    void theSchedulerIsToldOfGreetingsUnlessAllArePaused() {
        ServiceChoreIndex chores = new ServiceChoreIndex(world.storage.tables());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        assertThat(chores.of(Greetings.SERVICE)).as("a new one").isPresent();
        days(2);
        assertThat(chores.of(Greetings.SERVICE)).as("an active one").isPresent();

        Versioned<Greeting> active = world.process.greetings().find(ID).orElseThrow();
        world.process.greetings().change(active, Greeting::asPaused);
        days(1);
        assertThat(chores.of(Greetings.SERVICE)).as("a paused one").isEmpty();

        world.process.greetings().resume(world.process.greetings().find(ID).orElseThrow());
        assertThat(chores.of(Greetings.SERVICE)).as("a resumed one").isPresent();
    }

    @Test
    void nobodyIsGreetedForADayInAPause() {
        person("ann", today().plusDays(1));
        person("bob", today().plusDays(3));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        Versioned<Greeting> active = world.process.greetings().find(ID).orElseThrow();
        world.process.greetings().change(active, Greeting::asPaused);
        days(2);
        world.process.greetings().resume(world.process.greetings().find(ID).orElseThrow());
        days(2);
        assertThat(greeted()).isEqualTo(Map.of("bob", 1));
    }

    @Test
    void whoeverJoinsAfterTheWelcomeOfTheDayIsCreatedIsWelcomedOnTheNextDay() {
        world.time.advance(Duration.ofHours(14));
        person("early", today());
        world.time.advance(Duration.ofHours(1));
        LocalDate first = world.process.greetings().firstDay(LocalTime.MIDNIGHT);
        greeting(ID, list, Occasion.Kind.WELCOME, 0, first);
        world.time.advance(Duration.ofHours(1));
        person("late", today());
        send();
        days(3);
        assertThat(first).as("the time of the first day is over").isEqualTo(today().minusDays(2));
        assertThat(greeted()).isEqualTo(Map.of("late", 1));
    }

    @Test
    void whoeverJoinsAfterTheWelcomeIsResumedIsWelcomedOnTheNextDay() {
        greeting(Occasion.Kind.WELCOME, 0);
        world.process.greetings().change(world.process.greetings().find(ID).orElseThrow(), Greeting::asPaused);
        world.time.advance(Duration.ofHours(14));
        person("early", today());
        world.time.advance(Duration.ofHours(1));
        world.process.greetings().resume(world.process.greetings().find(ID).orElseThrow());
        world.time.advance(Duration.ofHours(1));
        person("late", today());
        send();
        days(3);
        assertThat(greeted()).isEqualTo(Map.of("late", 1));
    }

    @Test
    void nobodyWhoWasGreetedSinceABackupIsGreetedAgainAfterItsRestore() {
        person("ann", today().plusDays(1));
        person("bob", today().plusDays(2));
        person("cid", today().plusDays(3));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        SimulatedStorage backup = world.storage.copy();
        Instant madeAt = world.time.instant();
        days(2);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1, "bob", 1));

        world = world.with(backup);
        world.process.restoreGuard(new RestoreMark(Optional.of(madeAt))).afterSingletonsInstantiated();
        send();
        assertThat(greeted()).isEmpty();
        days(1);

        assertThat(greeted()).isEqualTo(Map.of("cid", 1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aGreetingThatIsPausedOrDeletedDuringARunReachesNobody(boolean deleted) {
        person("ann", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        Greetings others = world.process.greetings();
        beforeTheDayBegins(() -> {
            if (deleted) {
                others.delete(ID);
            } else {
                others.change(others.find(ID).orElseThrow(), Greeting::asPaused);
            }
        });

        send();

        assertThat(greeted()).isEmpty();
    }

    /**
     * A process died between the creation of the day and of its message, and the greeting was paused before another one
     * continued.
     */
    @Test
    void aDayThatBrokeOffBeforeAPauseIsNotMadeUpForAfterIt() {
        person("ann", today());
        person("bob", today().plusDays(31));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        Greetings greetings = world.process.greetings();
        beforeTheDayBegins(() -> world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.PUT_BLOB) {
                    throw new StorageException(StorageException.Reason.THROTTLED, "test", null);
                }
            }
        }));
        step(process ->
                process.greetings().service(process.messages, process.lists).run());
        world.storage.hook(CallHook.NONE);
        assertThat(greetings.runs(ID, 1)).singleElement().matches(run -> !run.done());
        greetings.change(greetings.find(ID).orElseThrow(), Greeting::asPaused);
        world.time.advance(Duration.ofDays(30));
        greetings.resume(greetings.find(ID).orElseThrow());

        days(2);

        assertThat(greeted()).isEqualTo(Map.of("bob", 1));
    }

    /**
     * Meanwhile, another process creates the day's message and an admin deletes it, or the admin pauses the greeting
     * before the message is created.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDayThatIsDeletedOrPausedMeanwhileReachesNobody(boolean deleted) throws Exception {
        int call = 0;
        SleepAt sleeps;
        boolean[] tooLate = new boolean[1];
        do {
            world = new SimulatedWorld();
            list = world.list("club", 0, 0);
            person("ann", today());
            greeting(Occasion.Kind.BIRTHDAY, 0);
            SimulatedProcess sleeper = world.process;
            world.restart();
            sleeps = new SleepAt(++call, () -> {
                if (deleted) {
                    step(GreetingTests::greet);
                    assertThat(world.process.messages.delete(ofToday().orElseThrow()))
                            .isTrue();
                } else {
                    tooLate[0] = ofToday().isPresent();
                    Greetings greetings = world.process.greetings();
                    greetings.change(greetings.find(ID).orElseThrow(), Greeting::asPaused);
                }
            });
            world.storage.hook(sleeps);
            greet(sleeper);
            world.storage.hook(CallHook.NONE);
            if (sleeps.slept() && !tooLate[0]) {
                send();
                assertThat(world.transport.taken()).as("slept at call %d", call).isEmpty();
            }
        } while (sleeps.slept() && !tooLate[0]);
        assertThat(call).isGreaterThan(20);
    }

    private Optional<Versioned<Message>> ofToday() {
        Messages messages = world.process.messages;
        return messages.active().stream()
                .filter(message -> !message.keptAsDraft())
                .findFirst()
                .flatMap(message -> messages.findActive(message.ref()));
    }

    private static void greet(SimulatedProcess process) throws Exception {
        process.greetings().service(process.messages, process.lists).run();
    }

    private void beforeTheDayBegins(Runnable act) {
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE && call.partition().equals(ID)) {
                    world.storage.hook(CallHook.NONE);
                    act.run();
                }
            }
        });
    }

    @Test
    void aListTakesItsGreetingsAlong() throws Exception {
        greeting(Occasion.Kind.WELCOME, 0);
        world.process.listDeletion.begin(list);
        world.process.listDeletion.service().run();
        world.time.advance(Duration.ofDays(1));
        world.list("club", 0, 0);
        step(process ->
                process.greetings().service(process.messages, process.lists).run());
        assertThat(world.process.greetings().all()).isEmpty();
    }

    /** The clock of the host that created the greeting is behind that of the other host. */
    @Test
    void aGreetingStaysThoughItsListSeemsToBeYounger() {
        world.time.advance(Duration.ofDays(1));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        Greeting greeting = world.process.greetings().find(ID).orElseThrow().value();
        world.time.advance(Duration.ofSeconds(30));
        ListName younger = world.list("younger", 0, 0);
        world.process
                .greetings()
                .create(new Greeting(
                        "8",
                        younger,
                        "Hello",
                        greeting.kind(),
                        greeting.field(),
                        0,
                        greeting.time(),
                        greeting.text(),
                        false,
                        today(),
                        greeting.createdAt(),
                        greeting.createdAt(),
                        "test"));

        step(process ->
                process.greetings().service(process.messages, process.lists).run());

        assertThat(world.process.greetings().find("8")).isPresent();
    }

    @Test
    void aGreetingWhoseTextWasDeletedSaysSo() {
        person("ann", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        Greeting greeting = world.process.greetings().find(ID).orElseThrow().value();
        world.process.messages.delete(
                world.process.messages.findActive(greeting.text()).orElseThrow());
        step(process ->
                process.greetings().service(process.messages, process.lists).run());
        assertThat(world.process.greetings().runs(ID, 1)).singleElement().satisfies(run -> {
            assertThat(run.done()).isTrue();
            assertThat(run.reason().none()).isFalse();
        });
    }
}
