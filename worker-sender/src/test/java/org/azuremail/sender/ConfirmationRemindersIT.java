package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailLot;
import org.azuremail.report.ConfirmationReminders.ConfirmationReminderItem;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.Deliveries;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks reminders to people who have not confirmed: each gets one email whatever goes wrong, within the daily limit.
 */
class ConfirmationRemindersIT {

    private static final ListName LIST = ConfirmationWorld.LIST;
    private static final int PEOPLE = 3;

    private ConfirmationWorld world = new ConfirmationWorld();

    private static EmailAddress address(int person) {
        return new EmailAddress("v" + person + "@example.org");
    }

    private List<ConfirmationReminderItem> items(Instant askedAt) {
        return IntStream.range(0, PEOPLE)
                .mapToObj(i -> new ConfirmationReminderItem(
                        LIST, world.subscriber(address(i)).guid(), askedAt, "ann@example.org"))
                .toList();
    }

    private void people() {
        IntStream.range(0, PEOPLE).forEach(i -> world.feature
                .subscriptions()
                .adminAdd(LIST, address(i), Profile.NONE, false, Origin.admin("ann")));
        world.time.advance(Duration.ofSeconds(1));
    }

    private void handle(ConfirmationReminderItem item) {
        try {
            world.askAgain().handle(item, Deliveries.first());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> mailed() {
        return world.transport.taken.stream()
                .map(MailLot::mails)
                .map(mails -> mails.get(0).to().address().value())
                .toList();
    }

    /** After a crash of the job or of a batch, an item may be queued twice. */
    @ParameterizedTest
    @EnumSource
    void eachPersonIsMailedOnceWhateverGoesWrongAndHoweverOftenTheItemComes(Faults.Mode mode) {
        for (int call = 1; ; call++) {
            world = new ConfirmationWorld();
            people();
            List<ConfirmationReminderItem> items = new ArrayList<>(items(world.time.instant()));
            items.addAll(items);
            Faults faults = new Faults(mode, call, () -> {});
            world.restart(faults.around(world.simulated.storage()));
            long before = 0;
            boolean handedOver = false;
            for (ConfirmationReminderItem item : items) {
                for (boolean done = false; !done; ) {
                    before = world.transport.taken.size();
                    try {
                        handle(item);
                        done = true;
                    } catch (ProcessDied died) {
                        handedOver |= world.transport.taken.size() > before;
                        world.restart(world.simulated.storage());
                        world.time.advance(Duration.ofMinutes(3));
                    } catch (StorageException repeated) {
                        handedOver |= world.transport.taken.size() > before;
                        world.time.advance(Duration.ofMinutes(3));
                    }
                }
            }
            world.restart(world.simulated.storage());
            world.time.advance(Duration.ofMinutes(3));
            world.tenMinutes();

            int maxInDoubt = handedOver ? 1 : 0;
            assertThat(mailed()).as(mode + " at call " + call).hasSizeBetween(PEOPLE, PEOPLE + maxInDoubt);
            assertThat(mailed()).contains("v0@example.org", "v1@example.org", "v2@example.org");
            if (faults.calls() < call) {
                assertThat(call).isGreaterThan(10);
                return;
            }
        }
    }

    @Test
    void nobodyGetsMoreThanTheDailyLimitAndWhoeverConfirmedOrLeftGetsNone() {
        people();
        world.feature.subscriptions().leave(LIST, address(1), Origin.admin("ann"));
        assertThat(world.subscriber(address(1)).state()).isNotEqualTo(SubscriberState.UNCONFIRMED);
        int limit = SubscriptionFeature.PROPERTIES.confirmations();
        for (int i = 0; i < limit + 2; i++) {
            items(world.time.instant()).forEach(this::handle);
            world.time.advance(Duration.ofMinutes(1));
        }

        assertThat(mailed()).filteredOn("v0@example.org"::equals).hasSize(limit);
        assertThat(mailed()).doesNotContain("v1@example.org");
    }
}
