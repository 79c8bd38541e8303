package org.azuremail.greeting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.greeting.BirthdayProperties.LeapDay;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.message.Occasion;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

class GreetingMarksTest {

    private static final ListName LIST = new ListName("club");

    private final ManualTime time = ManualTime.thatSleepsByItself();
    private final Storage storage = new SimulatedStorage(time, 7).storage();

    /**
     * A key of a mark has a colon behind the address, and a dot sorts before a colon. So marks are not in the order of
     * addresses where one address is the beginning of another.
     */
    @Test
    void aMarkedPersonIsFoundWhoseAddressBeginsWithAnotherOne() {
        SubscriptionStore subscribers = new SubscriptionStore(storage.tables());
        GreetingMarks marks = new GreetingMarks(storage.tables(), subscribers, ZoneOffset.UTC, LeapDay.FEB_28);
        Message message = message();
        List<Subscriber> people = people(today());
        assertThat(marks.claim(message, 0, people, false)).isEqualTo(people);

        List<Subscriber> changed = people(today().plusDays(50));

        assertThat(marks.claim(message, 0, changed, true)).isEqualTo(changed);
        assertThat(marks.claim(message, 0, changed.subList(0, 1), true)).isEqualTo(changed.subList(0, 1));
    }

    private LocalDate today() {
        return LocalDate.ofInstant(time.instant(), ZoneOffset.UTC);
    }

    private Message message() {
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        storage.tables().createTable(ListStore.TABLE);
        new ListStore(storage.tables())
                .create(Lists.with(MailingList.of(LIST, "Club", from, OptIn.DOUBLE, time.instant()), "shards", 1));
        Occasion occasion = new Occasion("7", Occasion.Kind.BIRTHDAY, "born", 0, today(), today());
        Messages.MessageCreateResult made = MessagesInTests.on(storage, time)
                .create(new Messages.NewMessage(
                        Audience.of(LIST).on(occasion),
                        Draft.of("Hello", "<p>Many happy returns</p>", null),
                        new Schedule(time.instant(), ZoneOffset.UTC),
                        OnUnknown.HOLD,
                        null,
                        "test",
                        false,
                        false));
        return ((Messages.MessageCreateResult.Created) made).message();
    }

    private List<Subscriber> people(LocalDate birthday) {
        return Stream.of("bob@example.co", "bob@example.co.uk")
                .map(address -> new Subscriber(
                        LIST,
                        new EmailAddress(address),
                        new SubscriberGuid("0." + "0".repeat(22)),
                        SubscriberState.SUBSCRIBED,
                        new Profile("", Map.of("born", birthday.withYear(2000).toString())),
                        time.instant(),
                        Consent.of(),
                        Bookkeeping.NONE))
                .toList();
    }
}
