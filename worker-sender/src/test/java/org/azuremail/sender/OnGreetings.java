package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.Greetings.GreetingRun;
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
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;

/** A list with a greeting, and days that pass. */
abstract class OnGreetings {

    static final String ID = "7";
    static final String BORN = "born";

    SimulatedWorld world = new SimulatedWorld();
    ListName list = world.list("club", 0, 0);
    boolean inDoubt;

    LocalDate today() {
        return LocalDate.ofInstant(world.time.instant(), ZoneOffset.UTC);
    }

    void person(String name, LocalDate birthday) {
        world.attributes = Map.of(BORN, birthday.withYear(2000).toString());
        world.subscriber(list, address(name), true);
    }

    static String address(String name) {
        return name + "@club.test";
    }

    void greeting(Occasion.Kind kind, int days) {
        greeting(ID, list, kind, days);
    }

    void greeting(String id, ListName list, Occasion.Kind kind, int days) {
        greeting(id, list, kind, days, today());
    }

    void greeting(String id, ListName list, Occasion.Kind kind, int days, LocalDate since) {
        Messages.MessageCreateResult text = world.process.messages.create(new Messages.NewMessage(
                Audience.of(list),
                Draft.of("Hello {{name|you}}", "<html><body><p>Many happy returns</p></body></html>", null),
                new Schedule(world.time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                null,
                "test",
                true,
                false));
        MessageRef ref = ((Messages.MessageCreateResult.Created) text).message().ref();
        String field = kind == Occasion.Kind.BIRTHDAY ? BORN : "";
        Instant now = world.time.instant();
        world.process
                .greetings()
                .create(new Greeting(
                        id, list, "Hello", kind, field, days, LocalTime.MIDNIGHT, ref, false, since, now, now, "test"));
    }

    /** Sends everything that is due; the service is woken again after a while. */
    void send() {
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

    void days(int count) {
        for (int day = 0; day < count; day++) {
            world.time.advance(Duration.ofDays(1));
            send();
        }
    }

    private boolean anyActive() {
        return !new MessageStore(world.storage.tables()).active().isEmpty();
    }

    interface Step {
        void on(SimulatedProcess process) throws Exception;
    }

    void step(Step step) {
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

    /**
     * Returns the number of messages to each person. No email was handed over twice, and only the recipients of a
     * hand-over during a death are in doubt.
     */
    Map<String, Integer> greeted() {
        return greeted(ID);
    }

    Map<String, Integer> greeted(String id) {
        Map<String, Integer> greeted = new TreeMap<>();
        for (GreetingRun run : world.process.greetings().runs(id, 500)) {
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

    /** The people who have a mark of the greeting. */
    Set<String> marked() {
        return Rows.all(world.storage.tables(), "mailinglist", KeyRange.everything()).stream()
                .map(Row::rowKey)
                .filter(key -> key.startsWith("greet:") && key.endsWith(":" + ID))
                .map(key -> key.substring("greet:".length(), key.indexOf('@')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    void change(String name, LocalDate birthday) {
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

    static EmailAddress mail(String name) {
        return new EmailAddress(address(name));
    }
}
