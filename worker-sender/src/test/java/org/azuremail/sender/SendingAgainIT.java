package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.Set;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks an ended message that is sent again to the people who did not get it. */
class SendingAgainIT {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void sendingToTheMissingMailsOnlyFailedRecipients() {
        MessageRef ref = DecisionIT.endedInDoubt(world);
        world.transport.answer((mail, attempt) -> new Answer.Accepted("id"));

        assertThat(world.process.reopening.reopen(ref, Set.of(Outcome.FAILED))).isEqualTo(Reopening.Answer.REOPENED);
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.PROCESSING);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 13));
        assertThat(world.find(ref).result().counts().failed()).isZero();
        assertThat(world.find(ref).result().counts().unknown()).isEqualTo(5);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aReopeningThatBreaksOffAtAnyCallMailsEveryMissingOneOnce(Mode mode) {
        boolean reached = true;
        for (long call = 1; reached; call++) {
            SimulatedWorld fresh = new SimulatedWorld();
            ListName list = fresh.list("contoso1", 13, 0);
            MessageRef ref = fresh.message(list, OnUnknown.HOLD);
            fresh.transport.answer((mail, attempt) -> new Answer.Refused("550"));
            fresh.runToEnd();
            fresh.transport.answer((mail, attempt) -> new Answer.Accepted("id"));
            Faults faults = new Faults(mode, call, () -> {});
            fresh.restart(faults);
            try {
                fresh.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
            } catch (ProcessDied | org.azuremail.storage.StorageException broken) {
                assertThat(faults.calls()).isEqualTo(call);
            }
            reached = faults.calls() >= call;
            fresh.restart();
            fresh.runToEnd();
            fresh.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
            fresh.runToEnd();
            fresh.assertAccounted(ref, verified("contoso1", 13));
            assertThat(fresh.outcomes(ref).values()).as("at call " + call).containsOnly(Outcome.SENT);
            assertThat(fresh.transport.taken().values()).as("at call " + call).containsOnly(1);
        }
    }

    @Test
    @DisplayName("I2: a recipient who is sent a message again while it is under way is mailed by the new range only")
    void aRangeUnderWayDoesNotMailRecipientsOfALaterGeneration() {
        MessageRef ref = world.message(world.list("contoso1", 1, 5, 0), OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> attempt > 1
                ? new Answer.Accepted("id")
                : mail.to().address().value().startsWith("v02")
                        ? new Answer.Refused("550")
                        : new Answer.RetryAfter(Duration.ofMinutes(1), Reason.ofText("450"), false));
        world.process.turn();
        world.process.look();
        world.time.advance(Duration.ofMinutes(2));
        assertThat(world.process.reopening.reopen(ref, Set.of(Outcome.FAILED))).isEqualTo(Reopening.Answer.REOPENED);
        SimulatedProcess first = world.process;
        SimulatedProcess second = world.restart();
        world.transport.beforeHandOver(() -> {
            world.transport.beforeHandOver(() -> {});
            second.drain(second.sender);
        });

        first.drain(first.sender);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 5));
        assertThat(world.transport.taken()).hasSize(5);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a message that is sent again reaches nobody who was erased, nor anybody who took the address since")
    void anErasedSubscriberIsNotSentTheMessageAgain(boolean addedAnew) {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = failedForEverybody(list);
        EmailAddress erased = new EmailAddress("v04@contoso1.test");
        assertThat(world.process.feature.subscriptions().erase(list, erased, Origin.admin("ada")))
                .isEqualTo(EraseResult.ERASED);
        if (addedAnew) {
            world.subscriber(list, erased.value(), true);
        }

        world.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 9));
        assertThat(world.outcomes(ref)).containsEntry("v04@contoso1.test", Outcome.SKIPPED);
        assertThat(world.detail(ref, "v04@contoso1.test")).isEqualTo("no longer on the list");
        assertThat(world.transport.taken()).hasSize(8);
    }

    @Test
    @DisplayName(
            "I7: a subscriber whose row was set to not Verified in the table itself, without a departure, is not mailed again")
    void aSubscriberWhoIsNoLongerVerifiedIsNotSentTheMessageAgain() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = failedForEverybody(list);
        EmailAddress changed = new EmailAddress("v04@contoso1.test");
        TableStore tables = world.storage.tables();
        int shard = world.process.lists.find(list).orElseThrow().value().shardOf(changed);
        Row row = tables.get(
                        SubscriptionStore.TABLE,
                        SubscriberKeys.partition(list, shard),
                        SubscriberKeys.email(changed.folded()))
                .orElseThrow();
        tables.write(
                SubscriptionStore.TABLE,
                row.key().partition(),
                new Write.Replace(row.rowKey(), row.values().with("Verified", false), row.etag()));

        world.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 9));
        assertThat(world.outcomes(ref)).containsEntry(changed.value(), Outcome.SKIPPED);
        assertThat(world.transport.taken()).hasSize(8);
    }

    @Test
    void aDeadLetterOfAnErasedPersonMailsNobodyWhenItIsRestored() {
        ListName list = world.list("contoso1", 3, 0);
        MessageRef ref = failedForEverybody(list);
        EmailAddress erased = new EmailAddress("v01@contoso1.test");
        world.process.feature.subscriptions().erase(list, erased, Origin.admin("ada"));

        world.process.reopening.reopen(ref, erased);
        world.runToEnd();

        assertThat(world.outcomes(ref)).containsEntry("v01@contoso1.test", Outcome.SKIPPED);
        assertThat(world.transport.taken()).isEmpty();
    }

    @Test
    void aListCreatedAnewMailsNobodyOfTheListBeforeIt() {
        ListName list = world.list("contoso1", 9, 0);
        MessageRef ref = failedForEverybody(list);
        world.process.listDeletion.begin(list);
        for (int run = 0; run < 5 && world.process.lists.find(list).isPresent(); run++) {
            runListDeletion();
            world.time.advance(Duration.ofMinutes(5));
        }
        assertThat(world.process.lists.find(list)).isEmpty();
        world.list("contoso1", 9, 0);

        world.process.reopening.reopen(ref, Set.of(Outcome.FAILED));
        world.runToEnd();

        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SKIPPED);
        assertThat(world.transport.taken()).isEmpty();
    }

    private void runListDeletion() {
        try {
            world.process.listDeletion.service().run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a message that was refused for all recipients. From now on, all are accepted. */
    private MessageRef failedForEverybody(ListName list) {
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> new Answer.Refused("550"));
        world.runToEnd();
        world.transport.answer((mail, attempt) -> new Answer.Accepted("id"));
        return ref;
    }
}
