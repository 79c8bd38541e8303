package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.API;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.store.SubscriberRow;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks joining a list, and an admin's changes to a subscriber. */
class SubscriptionsTest {

    private SubscriptionWorld world = new SubscriptionWorld();

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    @Test
    void e17_aNewAddressWaitsForItsConfirmationAndIsQueuedWithItsList() {
        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationQueued.class);

        Subscriber bob = world.get("bob@example.org");
        assertThat(bob.state()).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(bob.verified()).isFalse();
        assertThat(bob.bookkeeping().chore()).isEqualTo(Bookkeeping.Chore.CONFIRMATION);
        assertThat(world.drainQueue()).containsExactly(bob.guid() + ",news");
        assertThat(world.rowKeys())
                .containsExactlyInAnyOrder(
                        "!count", "email:bob@example.org", "guid:" + bob.guid(), "wait:bob@example.org");
    }

    @Test
    void e17_aPressConfirmsAndARepeatChangesNothing() {
        world.subscribe("bob@example.org");
        ConfirmationLink link = world.link("bob@example.org");

        assertThat(world.subscriptions().confirm(LIST, link, LINK)).isInstanceOf(ConfirmResult.Confirmed.class);
        Subscriber confirmed = world.get("bob@example.org");
        assertThat(world.subscriptions().confirm(LIST, link, LINK)).isInstanceOf(ConfirmResult.Confirmed.class);

        assertThat(confirmed.verified()).isTrue();
        assertThat(confirmed
                        .consent()
                        .latest(Declaration.Kind.CONFIRMED)
                        .orElseThrow()
                        .ip())
                .isEqualTo("203.0.113.8");
        assertThat(world.get("bob@example.org")).isEqualTo(confirmed);
        assertThat(world.subscribe("Bob@Example.org")).isInstanceOf(SubscribeResult.AlreadySubscribed.class);
    }

    @Test
    void e17_anUnverifiedAddressIsQueuedAgain() {
        world.subscribe("bob@example.org");
        world.drainQueue();

        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationQueued.class);

        assertThat(world.drainQueue()).hasSize(1);
    }

    @Test
    void e17_anUnknownListIsSaidSo() {
        ListName nowhere = new ListName("nowhere");
        assertThat(world.subscriptions().subscribe(nowhere, address("bob@example.org"), Profile.NONE, API))
                .isEqualTo(new SubscribeResult.NoSuchList(nowhere));
    }

    @Test
    void oneAddressGetsAtMostFiveConfirmationsADay() {
        for (int i = 0; i < 5; i++) {
            assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        }
        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationCapped.class);
        assertThat(world.subscriptions().resendConfirmation(LIST, address("bob@example.org"), ADMIN))
                .isInstanceOf(SubscribeResult.ConfirmationCapped.class);
        assertThat(world.drainQueue()).hasSize(5);

        world.time.advance(Duration.ofHours(24));
        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
    }

    @Test
    void theFoldedAddressIsTheSameSubscriberAndTheTypedOneIsKept() {
        world.subscribe("Bob.Smith@Example.ORG");
        world.subscribe("bob.smith@example.org");

        assertThat(world.get("BOB.SMITH@example.org").address().value()).isEqualTo("Bob.Smith@example.org");
        assertThat(world.store().counts(world.list()).total()).isEqualTo(1);
    }

    @Test
    void singleOptInSubscribesAtOnceButNotWhoHasLeft() {
        world = new SubscriptionWorld(OptIn.SINGLE);
        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.Subscribed.class);
        world.subscriptions().leave(LIST, address("bob@example.org"), LINK);

        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.ConfirmationQueued.class);

        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void e19_theSecondEditorSeesWhatStandsThereAndSavesAgain() {
        world.subscribed("bob@example.org");
        EmailAddress bob = address("bob@example.org");
        String seenByBoth = world.find("bob@example.org").etag();
        Profile first = new Profile("First", Map.of("city", "Ulm"));
        Profile second = new Profile("Second", Map.of());

        world.subscriptions().adminEdit(LIST, bob, seenByBoth, first, true, ADMIN);
        EditResult refused = world.subscriptions().adminEdit(LIST, bob, seenByBoth, second, false, ADMIN);

        assertThat(refused).isInstanceOf(EditResult.Conflict.class);
        var current = ((EditResult.Conflict) refused).current();
        assertThat(current.value().profile()).isEqualTo(first);
        assertThat(world.get("bob@example.org").profile()).isEqualTo(first);
        assertThat(world.subscriptions().adminEdit(LIST, bob, current.etag(), second, false, ADMIN))
                .isInstanceOf(EditResult.Saved.class);
        assertThat(world.get("bob@example.org").profile()).isEqualTo(second);
        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void anEditThatIsRefusedAddsNoAttributeToTheList() {
        world.subscribed("bob@example.org");
        EmailAddress bob = address("bob@example.org");
        String etag = world.find("bob@example.org").etag();
        world.subscriptions().suppress(LIST, bob, ADMIN);
        String suppressed = world.find("bob@example.org").etag();
        Profile profile = new Profile("Bob", Map.of("town", "Ulm"));

        assertThat(world.subscriptions().adminEdit(LIST, bob, etag, profile, true, ADMIN))
                .isInstanceOf(EditResult.Conflict.class);
        assertThat(world.subscriptions().adminEdit(LIST, bob, suppressed, profile, true, ADMIN))
                .isInstanceOf(EditResult.NotPossible.class);
        assertThat(world.subscriptions().adminEdit(LIST, address("eve@example.org"), etag, profile, true, ADMIN))
                .isInstanceOf(EditResult.Missing.class);
        assertThat(world.subscriptions().adminAdd(LIST, bob, profile, true, ADMIN))
                .isInstanceOf(EditResult.AlreadyThere.class);

        assertThat(world.list().attributes()).doesNotContain("town");
        assertThat(world.subscriptions().adminEdit(LIST, bob, suppressed, profile, false, ADMIN))
                .isInstanceOf(EditResult.Saved.class);
        assertThat(world.list().attributes()).contains("town");
    }

    @Test
    void aSubscriberWhomAnAdminAddsUnverifiedHasNoVerificationOnRecord() {
        world.subscriptions().adminAdd(LIST, address("bob@example.org"), Profile.NONE, false, ADMIN);
        world.subscribed("ann@example.org");

        assertThat(world.get("bob@example.org").consent().declarations())
                .extracting(Declaration::kind)
                .containsExactly(Declaration.Kind.ADDED);
        assertThat(world.get("ann@example.org").consent().declarations())
                .extracting(Declaration::kind)
                .containsExactly(Declaration.Kind.VERIFIED_BY_ADMIN);
    }

    @Test
    void anAdminsVerificationIsTraced() {
        world.subscribe("bob@example.org");
        var seen = world.find("bob@example.org");

        world.subscriptions().adminEdit(LIST, address("bob@example.org"), seen.etag(), Profile.NONE, true, ADMIN);

        Declaration verified = world.get("bob@example.org")
                .consent()
                .latest(Declaration.Kind.VERIFIED_BY_ADMIN)
                .orElseThrow();
        assertThat(verified.by()).isEqualTo("ada@example.org");
        assertThat(world.rowKeys()).noneMatch(key -> key.startsWith("wait:"));
    }

    @Test
    void anAddressThatIsThereIsNotAddedAgain() {
        world.subscribed("bob@example.org");

        EditResult result = world.subscriptions()
                .adminAdd(LIST, address("BOB@example.org"), new Profile("Other", Map.of()), true, ADMIN);

        assertThat(result).isInstanceOf(EditResult.AlreadyThere.class);
        assertThat(world.get("bob@example.org").profile().name()).isEqualTo("Someone");
    }

    @Test
    void aSuppressedSubscriberIsRefusedQuietlyEverywhere() {
        Subscriber bob = world.subscribed("bob@example.org");
        world.subscriptions().suppress(LIST, bob.address(), ADMIN);

        assertThat(world.subscriptions().suppress(LIST, bob.address(), ADMIN)).isInstanceOf(EditResult.Saved.class);
        assertThat(world.subscribe("bob@example.org")).isInstanceOf(SubscribeResult.Suppressed.class);
        assertThat(world.subscriptions().confirm(LIST, world.link(bob), LINK)).isInstanceOf(ConfirmResult.Dead.class);
        assertThat(world.subscriptions()
                        .adminEdit(
                                LIST,
                                bob.address(),
                                world.find("bob@example.org").etag(),
                                Profile.NONE,
                                true,
                                ADMIN))
                .isInstanceOf(EditResult.NotPossible.class);
        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.SUPPRESSED);
        assertThat(world.drainQueue()).isEmpty();

        world.subscriptions().release(LIST, bob.address(), ADMIN);
        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void defect8_aRowWithoutVerifiedIsNotSubscribed() {
        Subscriber bob = world.subscribed("bob@example.org");
        var values = SubscriberRow.values(bob).with("Verified", null);
        assertThat(SubscriberRow.subscriber(LIST, values).verified()).isFalse();
        assertThat(SubscriberRow.subscriber(LIST, values.with("State", null)).state())
                .isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void defect15_aQuotedLocalPartWithCommaAndSlashIsOneSubscriber() {
        EmailAddress odd = address("\"a,b/c\"@example.org");
        world.subscriptions().subscribe(LIST, odd, Profile.NONE, API);
        Subscriber found = world.store().find(world.list(), odd).orElseThrow().value();

        assertThat(found.address()).isEqualTo(odd);
        ConfirmationItem item = ConfirmationItem.parse(world.drainQueue().get(0));
        assertThat(item).isEqualTo(new ConfirmationItem(found.guid(), LIST));
    }

    @Test
    void defect19_aConfirmationWhoseQueueItemIsLostIsQueuedAgainAfterAMinute() {
        world.subscribe("bob@example.org");
        world.drainQueue();

        world.time.advance(Duration.ofSeconds(59));
        world.look();
        assertThat(world.drainQueue()).isEmpty();
        world.time.advance(Duration.ofSeconds(1));
        world.look();
        world.look();

        assertThat(world.drainQueue()).hasSize(1);
    }

    @Test
    void theIndexRowGoesWhenItsShardIsLongDone() {
        world.subscribe("bob@example.org");
        world.subscriptions().confirm(LIST, world.link("bob@example.org"), LINK);
        world.look();
        assertThat(indexRows()).isEqualTo(1);

        world.time.advance(Duration.ofMinutes(6));
        world.look();

        assertThat(indexRows()).isZero();
    }

    private int indexRows() {
        return org.azuremail.storage.Rows.all(
                        world.tables(),
                        ShardChoreIndex.TABLE,
                        org.azuremail.storage.KeyRange.partition(ShardChoreIndex.PARTITION))
                .size();
    }
}
