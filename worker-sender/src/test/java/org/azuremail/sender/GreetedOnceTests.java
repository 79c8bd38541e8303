package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.message.Occasion;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.junit.jupiter.api.Test;

/** Checks how often people are greeted who change their day or address, leave, come back or are erased. */
class GreetedOnceTests extends OnGreetings {

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
