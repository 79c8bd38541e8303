package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Occasion;
import org.azuremail.message.Outcome;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks how often people are greeted who change their day or address, leave, come back or are erased. */
class GreetedOnceIT extends OnGreetings {

    @Test
    void aSubscriberWhoChangesTheDayIsGreetedOnceAYear() {
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
    void subscribersWhoLeaveGetNothingAndReturningOnesAreGreetedOnceAYear() {
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
    void anErasedSubscriberLeavesNoMark() {
        person("ann", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        world.process.feature.subscriptions().erase(list, mail("ann"), Origin.admin("test"));
        List<String> rows = new ArrayList<>();
        Rows.all(world.storage.tables(), "mailinglist", KeyRange.everything()).forEach(row -> rows.add(row.rowKey()));
        assertThat(rows).noneMatch(row -> row.contains("ann@"));
    }

    @Test
    void aBirthdayThatIsChangedBeforehandIsGreetedOnTheNewDay() {
        person("ann", today().plusDays(2));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        change("ann", today().plusDays(5));
        days(4);
        assertThat(greeted()).isEmpty();
        days(1);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
        days(5);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
    }

    @Test
    void aPersonWhoTurnsUpLaterThanTwoDaysIsGreetedNextYear() {
        greeting(Occasion.Kind.BIRTHDAY, 0);
        LocalDate day = today();
        send();
        days(2);
        person("late", day);
        days(4);
        assertThat(greeted()).isEmpty();
        world.time.advance(Duration.ofDays(357));
        days(2);
        assertThat(greeted()).isEqualTo(Map.of("late", 1));
    }

    @ParameterizedTest
    @CsvSource({"WELCOME, 0", "AFTER_JOINING, 2"})
    void aPersonWhoComesBackWhenTheDayIsOverGetsNoWelcomeAndNoEmailOfASeries(Occasion.Kind kind, int days) {
        person("ann", today());
        world.leave(list, address("ann"));
        greeting(kind, days);
        send();
        days(days + 3);
        back("ann");
        days(3);
        assertThat(greeted()).isEmpty();
    }

    @Test
    void aPersonWhoUnsubscribesBeforeTheHandOverIsSkippedAndStaysMarked() {
        person("ann", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        step(process ->
                process.greetings().service(process.messages, process.lists).run());
        step(process -> {
            process.look();
            process.drain(process.fanOut);
        });
        world.leave(list, address("ann"));
        send();

        MessageRef message = world.process.greetings().runs(ID, 1).get(0).message();
        assertThat(world.outcomes(message)).isEqualTo(Map.of(address("ann"), Outcome.SKIPPED));
        assertThat(marked()).containsExactly("ann");
        back("ann");
        days(2);
        assertThat(world.process.greetings().runs(ID, 10)).allSatisfy(run -> assertThat(
                        world.transport.timesTaken(run.message().toString(), address("ann")))
                .isZero());
    }

    @Test
    void onAnotherListTheGreetingsOfThatListCountForThemselves() {
        person("bob", today());
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        ListName other = world.list("other", 0, 0);
        greeting("8", other, Occasion.Kind.BIRTHDAY, 0);
        move("bob", other, "bob");
        days(1);
        assertThat(greeted()).isEqualTo(Map.of("bob", 1));
        assertThat(greeted("8")).isEqualTo(Map.of("bob", 1));
    }

    @Test
    void importedPeopleAreWelcomedOnTheDayOfTheImport() {
        greeting(Occasion.Kind.WELCOME, 0);
        send();
        days(10);
        Declaration declaration = Declaration.of(
                Declaration.Kind.IMPORTED_VERIFIED,
                world.time.instant(),
                new Origin(Origin.Channel.IMPORT, "import 1", null, null));
        MailingList existing = world.process.lists.find(list).orElseThrow().value();
        int shard = existing.shardOf(mail("ann"));
        world.process
                .feature
                .writer()
                .change(
                        existing,
                        shard,
                        mail("ann"),
                        none -> SubscriberChange.store(
                                new Subscriber(
                                        list,
                                        mail("ann"),
                                        new SubscriberGuid(shard + "." + "0".repeat(22)),
                                        SubscriberState.SUBSCRIBED,
                                        Profile.NONE,
                                        world.time.instant(),
                                        Consent.of(declaration),
                                        Bookkeeping.NONE),
                                stored -> true));
        days(2);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
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
        move(from, list, to);
    }

    private void move(String from, ListName target, String to) {
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
                        new Membership(target, mail(to)),
                        Origin.admin("test"));
    }
}
