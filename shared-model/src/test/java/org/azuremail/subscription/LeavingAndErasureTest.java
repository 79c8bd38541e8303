package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks leaving a list, coming back to it, and being erased from it. */
class LeavingAndErasureTest {

    private SubscriptionWorld world = new SubscriptionWorld();

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    @Test
    void e18_a52_leavingKeepsTheRowWritesWhoLeftAndTellsWhoMails() {
        SubscriberGuid guid = world.subscribed("bob@example.org").guid();

        assertThat(world.subscriptions().leave(LIST, guid, LINK)).isInstanceOf(LeaveResult.Left.class);

        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(world.get("bob@example.org").verified()).isFalse();
        assertThat(leftRows("bob@example.org")).containsExactly("bob@example.org");
        assertThat(world.departed).containsExactly(address("bob@example.org"));
        assertThat(world.subscriptions().leave(LIST, guid, LINK)).isInstanceOf(LeaveResult.AlreadyLeft.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"left:", "wait:", "guid:", "ix:"})
    void aRowThatIsGoneAlreadyKeepsNobodyFromLeavingComingBackAndBeingErased(String prefix) {
        EmailAddress bob = address("bob@example.org");
        Profile profile = new Profile("Bob", Map.of("city", "Ulm"));
        world.subscriptions().adminAdd(LIST, bob, profile, true, ADMIN);
        if (prefix.equals("wait:")) {
            world.subscriptions().erase(LIST, bob, ADMIN);
            world.subscribe(bob.value());
        }
        if (prefix.equals("left:")) {
            world.subscriptions().leave(LIST, bob, LINK);
        }
        String partition = SubscriberKeys.partition(LIST, world.get(bob.value()).shard());
        List<Row> rows = Rows.all(world.tables(), SubscriptionStore.TABLE, KeyRange.prefix(partition, prefix));
        assertThat(rows).isNotEmpty();
        rows.forEach(row -> world.tables().write(SubscriptionStore.TABLE, partition, Write.delete(row)));

        if (prefix.equals("left:")) {
            world.subscribe(bob.value());
            world.subscriptions().confirm(LIST, world.link(world.get(bob.value())), LINK);
            assertThat(world.state(bob.value())).isEqualTo(SubscriberState.SUBSCRIBED);
        }
        assertThat(world.subscriptions().leave(LIST, bob, LINK)).isInstanceOf(LeaveResult.Left.class);
        assertThat(world.subscriptions().erase(LIST, bob, ADMIN)).isEqualTo(EraseResult.ERASED);
    }

    @Test
    void e18_aGuessedGuidRemovesNobody() {
        SubscriberGuid guid = world.subscribed("bob@example.org").guid();
        SubscriberGuid guessed = new SubscriberGuid(guid.shard() + "." + "A".repeat(22));
        ListName other = new ListName("other");
        world.lists.create(SubscriptionWorld.list(other, OptIn.DOUBLE));

        assertThat(world.subscriptions().leave(LIST, guessed, LINK)).isInstanceOf(LeaveResult.Unknown.class);
        assertThat(world.subscriptions().leave(other, guid, LINK)).isInstanceOf(LeaveResult.Unknown.class);
        assertThat(world.subscriptions().confirm(LIST, new ConfirmationLink(guessed, ""), LINK))
                .isInstanceOf(ConfirmResult.Dead.class);

        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void comingBackIsAConfirmationAndOnlyThenTheLeftRowGoes() {
        SubscriberGuid guid = world.subscribed("bob@example.org").guid();
        world.subscriptions().leave(LIST, guid, LINK);

        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        assertThat(leftRows("bob@example.org")).containsExactly("bob@example.org");

        assertThat(world.subscriptions().confirm(LIST, world.link("bob@example.org"), LINK))
                .isInstanceOf(ConfirmResult.Confirmed.class);
        assertThat(leftRows("bob@example.org")).isEmpty();
    }

    @Test
    void anOldConfirmationLinkDoesNotBringBackWhoLeft() {
        world.subscribe("bob@example.org");
        ConfirmationLink link = world.link("bob@example.org");
        world.subscriptions().leave(LIST, link.guid(), LINK);

        assertThat(world.subscriptions().confirm(LIST, link, LINK)).isInstanceOf(ConfirmResult.Dead.class);

        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void sendersLearnOfASuppressedSubscriberAsIfTheyHadLeft() {
        Subscriber bob = world.subscribed("bob@example.org");

        world.subscriptions().suppress(LIST, bob.address(), ADMIN);

        assertThat(leftRows("bob@example.org")).containsExactly("bob@example.org");
        assertThat(world.departed).containsExactly(bob.address());
    }

    @Test
    void sendersLearnOfASubscriberWhoIsNoLongerVerifiedAsIfTheyHadLeft() {
        Subscriber bob = world.subscribed("bob@example.org");
        String seen = world.find("bob@example.org").etag();

        world.subscriptions().adminEdit(LIST, bob.address(), seen, Profile.NONE, false, ADMIN);

        assertThat(leftRows("bob@example.org")).containsExactly("bob@example.org");
        assertThat(world.departed).containsExactly(bob.address());
    }

    @Test
    void erasingLeavesNoRowThatNamesThePerson() {
        world.subscribed("bob@example.org");

        assertThat(world.subscriptions().erase(LIST, address("bob@example.org"), ADMIN))
                .isEqualTo(EraseResult.ERASED);

        assertThat(world.rowKeys()).containsOnly("!count");
        assertThat(world.store().counts(world.list())).isEqualTo(SubscriberCounts.NONE);
        assertThat(world.departed).containsExactly(address("bob@example.org"));
    }

    @Test
    void erasingWaitsUntilNoMessageOfTheListIsActive() {
        world.subscribed("bob@example.org");
        world.inUse = true;

        assertThat(world.subscriptions().erase(LIST, address("bob@example.org"), ADMIN))
                .isEqualTo(EraseResult.SCHEDULED);
        assertThat(leftRows("bob@example.org")).containsExactly("bob@example.org");
        world.time.advance(Duration.ofMinutes(2));
        world.look();
        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNSUBSCRIBED);

        world.inUse = false;
        world.time.advance(Duration.ofMinutes(3));
        world.look();
        assertThat(world.rowKeys()).containsOnly("!count");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPersonWhoIsSuppressedBeforeTheRowsAreGoneIsErasedAllTheSame(boolean releasedAfterThat) {
        EmailAddress bob = address("bob@example.org");
        world.subscribed(bob.value());
        world.inUse = true;
        world.subscriptions().erase(LIST, bob, ADMIN);
        world.subscriptions().suppress(LIST, bob, ADMIN);
        if (releasedAfterThat) {
            world.subscriptions().release(LIST, bob, ADMIN);
        }
        assertThat(leftRows(bob.value())).containsExactly(bob.value());

        world.inUse = false;
        world.time.advance(Duration.ofMinutes(3));
        world.look();

        assertThat(world.rowKeys()).containsOnly("!count");
    }

    @Test
    void aPersonWhoAsksToJoinBeforeTheRowsAreGoneStaysWithoutTheOldOnes() {
        world.subscribed("bob@example.org");
        world.inUse = true;
        world.subscriptions().erase(LIST, address("bob@example.org"), ADMIN);

        world.subscribe("bob@example.org");

        Subscriber bob = world.get("bob@example.org");
        assertThat(bob.state()).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(bob.profile()).isEqualTo(Profile.NONE);
        assertThat(bob.consent().declarations()).hasSize(1);
        assertThat(leftRows("bob@example.org")).containsExactly("bob@example.org");
    }

    @Test
    void aPersonWhoAsksToJoinWhileTheRowsAreRemovedStays() {
        world.subscribed("bob@example.org");
        world.inUse = true;
        world.subscriptions().erase(LIST, address("bob@example.org"), ADMIN);
        world.inUse = false;
        world.time.advance(Duration.ofMinutes(2));
        world.simulated.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    world.simulated.hook(CallHook.NONE);
                    world.subscribe("bob@example.org");
                }
            }
        });

        world.look();

        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    /**
     * A process that removes the rows sleeps at any call, until the person is erased once more while a message is being
     * sent.
     */
    @Test
    void aPersonWhoWasErasedAgainMeanwhileIsKnownToHaveLeft() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            world = new SubscriptionWorld();
            world.subscribed("bob@example.org");
            world.inUse = true;
            world.subscriptions().erase(LIST, address("bob@example.org"), ADMIN);
            world.inUse = false;
            world.time.advance(Duration.ofMinutes(2));
            SleepAt sleeper = new SleepAt(call, () -> {
                world.simulated.hook(CallHook.NONE);
                world.restart();
                world.subscribe("bob@example.org");
                world.subscriptions().confirm(LIST, world.link("bob@example.org"), LINK);
                world.inUse = true;
                assertThat(world.subscriptions().erase(LIST, address("bob@example.org"), ADMIN))
                        .isEqualTo(EraseResult.SCHEDULED);
            });
            world.simulated.hook(sleeper);
            world.look();
            world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            if (reached) {
                assertThat(leftRows("bob@example.org")).as("at call " + call).containsExactly("bob@example.org");
            }
        }
    }

    @Test
    void nobodyIsCalledErasedWhoseRowAnotherAdminSuppressedMeanwhile() {
        EmailAddress bob = address("bob@example.org");
        boolean reached = true;
        for (int call = 1; reached; call++) {
            world = new SubscriptionWorld();
            world.subscribed(bob.value());
            SleepAt sleeper = new SleepAt(call, () -> {
                world.simulated.hook(CallHook.NONE);
                world.subscriptions().suppress(LIST, bob, ADMIN);
                world.subscriptions().release(LIST, bob, ADMIN);
            });
            world.simulated.hook(sleeper);

            EraseResult result = world.subscriptions().erase(LIST, bob, ADMIN);

            world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            assertThat(result).as("at call " + call).isEqualTo(EraseResult.ERASED);
            assertThat(world.rowKeys()).as("at call " + call).containsOnly("!count");
        }
    }

    private java.util.Set<String> leftRows(String address) {
        EmailAddress who = address(address);
        return world.store()
                .departuresIn(LIST, world.list().shardOf(who), who.folded(), who.folded())
                .keySet();
    }
}
