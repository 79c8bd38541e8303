package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.GreetingRun;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Occasion;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks who gets a greeting, how often and when, whichever process dies and whatever happens to people meanwhile: the table in
 * docs/greetings.md.
 */
class GreetingTests {

    private static final String ID = "7";
    private static final String BORN = "born";

    private SimulatedWorld world = new SimulatedWorld();
    private ListName list = world.list("club", 0, 0);
    private boolean inDoubt;

    private LocalDate today() {
        return LocalDate.ofInstant(world.time.instant(), ZoneOffset.UTC);
    }

    private void person(String name, LocalDate birthday) {
        world.attributes = Map.of(BORN, birthday.withYear(2000).toString());
        world.subscriber(list, address(name), true);
    }

    private static String address(String name) {
        return name + "@club.test";
    }

    private void greeting(Occasion.Kind kind, int days) {
        Messages.Creation text = world.process.messages.create(new Messages.NewMessage(
                Audience.of(list),
                Draft.of("Hello {{name|you}}", "<html><body><p>Many happy returns</p></body></html>", null),
                new Schedule(world.time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                null,
                "test",
                true,
                false));
        MessageRef ref = ((Messages.Creation.Created) text).message().ref();
        String field = kind == Occasion.Kind.BIRTHDAY ? BORN : "";
        Instant now = world.time.instant();
        world.process
                .greetings()
                .create(new Greeting(
                        ID, list, "Hello", kind, field, days, LocalTime.MIDNIGHT, ref, false, today(), now, "test"));
    }

    /** Everything that is due is sent; the service is woken again after a while. */
    private void send() {
        step(process ->
                process.greetings().service(process.messages, process.lists).run());
        step(process ->
                process.greetings().service(process.messages, process.lists).run());
        for (int turn = 0; turn < 60 && anyActive(); turn++) {
            step(process ->
                    process.greetings().service(process.messages, process.lists).run());
            step(SimulatedProcess::turn);
            world.time.advance(Duration.ofSeconds(10));
        }
        assertThat(anyActive()).as("a message is under way").isFalse();
    }

    private void days(int count) {
        for (int day = 0; day < count; day++) {
            world.time.advance(Duration.ofDays(1));
            send();
        }
    }

    private boolean anyActive() {
        return !new MessageStore(world.storage.tables()).active().isEmpty();
    }

    private interface Step {
        void on(SimulatedProcess process) throws Exception;
    }

    private void step(Step step) {
        for (int attempt = 0; attempt < 5; attempt++) {
            try {
                step.on(world.process);
                return;
            } catch (ProcessDied died) {
                inDoubt |= world.anyHanding();
                world.restart();
            } catch (StorageException again) {
                assertThat(again).isNotNull();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        throw new AssertionError("a step does not get done");
    }

    /** In how many messages each person is. Nobody was handed over twice, and only who was being handed over is in doubt. */
    private Map<String, Integer> greeted() {
        Map<String, Integer> greeted = new TreeMap<>();
        for (GreetingRun run : world.process.greetings().runs(ID, 500)) {
            assertThat(run.done()).as("run of " + run.day()).isTrue();
            Message message = world.find(run.message());
            assertThat(message.status()).isEqualTo(MessageStatus.COMPLETED);
            world.outcomes(run.message()).forEach((address, outcome) -> {
                int taken = world.transport.timesTaken(run.message().toString(), address);
                assertThat(taken).isBetween(outcome == Outcome.UNKNOWN && inDoubt ? 0 : 1, 1);
                greeted.merge(address.substring(0, address.indexOf('@')), 1, Integer::sum);
            });
        }
        return greeted;
    }

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

    private static EmailAddress mail(String name) {
        return new EmailAddress(address(name));
    }

    @Test
    void everyYearOnceAndOn29FebruaryOn28FebruaryInCommonYears() {
        world.time.advance(Duration.between(world.time.instant(), Instant.parse("2027-02-20T10:00:00Z")));
        person("leap", LocalDate.of(2000, 2, 29));
        person("next", LocalDate.of(2000, 3, 1));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        days(8);
        assertThat(greeted()).as("28 February 2027").isEqualTo(Map.of("leap", 1));
        days(366);
        assertThat(greeted()).as("29 February 2028").isEqualTo(Map.of("leap", 2, "next", 1));
        days(2);
        assertThat(greeted()).as("1 March 2028").isEqualTo(Map.of("leap", 2, "next", 2));
    }

    @Test
    void overNewYearTheYearIsTheOneOfTheDay() {
        world.time.advance(Duration.between(world.time.instant(), Instant.parse("2026-12-31T10:00:00Z")));
        person("old", LocalDate.of(2000, 12, 31));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        days(3);
        assertThat(greeted()).isEqualTo(Map.of("old", 1));
        days(363);
        assertThat(greeted()).isEqualTo(Map.of("old", 2));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 0"})
    void whoTurnsUpOneOrTwoDaysLateIsStillGreeted(int daysLate, int times) {
        greeting(Occasion.Kind.BIRTHDAY, 0);
        LocalDate day = today();
        send();
        days(daysLate);
        person("late", day);
        days(1);
        assertThat(greeted().getOrDefault("late", 0)).isEqualTo(times);
    }

    @Test
    void whoChangesTheDayIsGreetedOnceAYear() {
        person("ann", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        change("ann", today().plusDays(2));
        days(4);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
        days(365);
        assertThat(greeted()).isEqualTo(Map.of("ann", 2));
    }

    @Test
    void whoLeavesGetsNothingAndWhoComesBackIsGreetedOnceAYear() {
        person("ann", today());
        person("bob", today().plusDays(1));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        world.leave(list, address("ann"));
        world.leave(list, address("bob"));
        days(1);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
        back("ann");
        back("bob");
        days(1);
        assertThat(greeted()).as("back within two days").isEqualTo(Map.of("ann", 1, "bob", 1));
    }

    @Test
    void welcomeIsSentOnceForEverAlsoToThoseWhoComeBackOrChangeAddress() {
        greeting(Occasion.Kind.WELCOME, 0);
        person("ann", today());
        person("bob", today());
        send();
        assertThat(greeted()).isEqualTo(Map.of("ann", 1, "bob", 1));
        world.leave(list, address("ann"));
        back("ann");
        move("bob", "robert");
        days(3);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1, "bob", 1));
    }

    @Test
    void aBirthdayIsNotGreetedAgainAtTheNextAddress() {
        person("bob", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        move("bob", "robert");
        move("robert", "rob");
        days(2);
        assertThat(greeted()).isEqualTo(Map.of("bob", 1));
        days(364);
        assertThat(greeted()).isEqualTo(Map.of("bob", 1, "rob", 1));
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
    void anAnniversaryComesEveryYearAndNotOnTheDayOfJoining() {
        greeting(Occasion.Kind.ANNIVERSARY, 0);
        person("ann", today());
        send();
        days(364);
        assertThat(greeted()).isEmpty();
        days(1);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
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
    void ofADayInAPauseNobodyIsGreeted() {
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
    void whoIsErasedLeavesNoMark() {
        person("ann", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        world.process.feature.subscriptions().erase(list, mail("ann"), Origin.admin("test"));
        List<String> rows = new ArrayList<>();
        Rows.all(world.storage.tables(), "mailinglist", KeyRange.everything()).forEach(row -> rows.add(row.rowKey()));
        assertThat(rows).noneMatch(row -> row.contains("ann@"));
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

    @Test
    void aGreetingWhoseTextWasDeletedSaysSo() {
        person("ann", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        Greeting greeting = world.process.greetings().find(ID).orElseThrow().value();
        world.process.messages.delete(greeting.text());
        step(process ->
                process.greetings().service(process.messages, process.lists).run());
        assertThat(world.process.greetings().runs(ID, 1)).singleElement().satisfies(run -> {
            assertThat(run.done()).isTrue();
            assertThat(run.reason().none()).isFalse();
        });
    }

    private void change(String name, LocalDate birthday) {
        Versioned<Subscriber> read = world.process
                .feature
                .store()
                .find(world.process.lists.find(list).orElseThrow().value(), mail(name))
                .orElseThrow();
        Profile profile = new Profile("", Map.of(BORN, birthday.withYear(2000).toString()));
        world.process
                .feature
                .subscriptions()
                .adminEdit(list, mail(name), read.etag(), profile, true, Origin.admin("test"));
    }

    private void back(String name) {
        Versioned<Subscriber> read = world.process
                .feature
                .store()
                .find(world.process.lists.find(list).orElseThrow().value(), mail(name))
                .orElseThrow();
        world.process
                .feature
                .subscriptions()
                .adminEdit(list, mail(name), read.etag(), read.value().profile(), true, Origin.admin("test"));
    }

    private void move(String from, String to) {
        Versioned<Subscriber> read = world.process
                .feature
                .store()
                .find(world.process.lists.find(list).orElseThrow().value(), mail(from))
                .orElseThrow();
        world.process
                .feature
                .subscriptions()
                .move(
                        new Membership(list, mail(from)),
                        read.etag(),
                        new Membership(list, mail(to)),
                        Origin.admin("test"));
    }
}
