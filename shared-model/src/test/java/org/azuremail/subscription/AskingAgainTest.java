package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.API;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks a person who is known to the list and asks again to join, or for another email. */
class AskingAgainTest {

    private static final String BOB = "bob@example.org";
    private static final String NEW = "robert@example.org";

    private final SubscriptionWorld world = new SubscriptionWorld();

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    @Test
    void aConfirmationThatIsMailedOnceMoreCountsLikeTheFirst() {
        world.subscribe(BOB);
        for (int i = 0; i < 4; i++) {
            assertThat(resend()).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        }

        assertThat(resend()).isInstanceOf(SubscribeResult.ConfirmationCapped.class);
        assertThat(world.subscribe(BOB)).isInstanceOf(SubscribeResult.ConfirmationCapped.class);

        assertThat(world.drainQueue()).hasSize(5);
    }

    @Test
    void aPersonWhoHasLeftGetsNoConfirmationUnlessTheyAskToJoin() {
        world.subscribed(BOB);
        world.subscriptions().leave(LIST, address(BOB), LINK);

        assertThat(resend()).isInstanceOf(SubscribeResult.NothingToConfirm.class);

        assertThat(world.drainQueue()).isEmpty();
        assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void earlierValuesStayWhereAPersonGivesNoNewOnes() {
        subscribe(new Profile("Bob", Map.of("city", "Ulm")));
        subscribe(Profile.NONE);

        assertThat(world.get(BOB).profile()).isEqualTo(new Profile("Bob", Map.of("city", "Ulm")));
    }

    /** The answer reveals nothing about the earlier values, because anybody may ask for any address. */
    @Test
    void earlierValuesStayWhereNoMoreFitBesideThem() {
        Map<String, String> first = values("a", Profile.MAX_TOTAL / Profile.MAX_VALUE);
        Map<String, String> second = values("b", 1);
        world.lists.addAttributes(LIST, new TreeSet<>(first.keySet()));
        world.lists.addAttributes(LIST, new TreeSet<>(second.keySet()));
        subscribe(new Profile("Bob", first));

        assertThat(world.subscriptions().subscribe(LIST, address(BOB), new Profile("Robert", second), API))
                .isInstanceOf(SubscribeResult.ConfirmationQueued.class);

        assertThat(world.get(BOB).profile()).isEqualTo(new Profile("Bob", first));
    }

    private static Map<String, String> values(String prefix, int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> prefix + i, i -> "x"
                .repeat(Profile.MAX_VALUE)));
    }

    @Test
    void attributesThatTheListDoesNotHaveAreLeftOut() {
        subscribe(new Profile("Bob", Map.of("city", "Ulm", "shoe-size", "43")));

        assertThat(world.get(BOB).profile()).isEqualTo(new Profile("Bob", Map.of("city", "Ulm")));
    }

    @Test
    void choresThatWaitForLongHideNoConfirmationBehindThem() {
        SubscriptionWorld crowded = new SubscriptionWorld(OptIn.DOUBLE, 1);
        crowded.inUse = true;
        for (int i = 0; i <= SubscriberChores.MAX_REPEATED; i++) {
            EmailAddress early = crowded.subscribed("a" + i + "@example.org").address();
            crowded.subscriptions().erase(LIST, early, ADMIN);
        }
        crowded.subscribe("zoe@example.org");
        crowded.drainQueue();

        crowded.time.advance(Duration.ofSeconds(61));
        crowded.look();
        crowded.time.advance(Duration.ofSeconds(60));
        crowded.look();

        assertThat(crowded.drainQueue())
                .containsExactly(crowded.get("zoe@example.org").guid() + ",news");
    }

    @Test
    void aPersonWhoLeavesBeforeConfirmingWaitsForNothing() {
        world.subscribe(BOB);
        world.drainQueue();

        world.subscriptions().leave(LIST, address(BOB), LINK);
        world.time.advance(Duration.ofMinutes(2));
        world.look();

        assertThat(world.rowKeys()).noneMatch(key -> key.startsWith("wait:"));
        assertThat(world.drainQueue()).isEmpty();
    }

    @Test
    void aPersonWhoMovedAwayAndWasToBeErasedThereJoinsWithALinkOfTheirOwn() {
        SubscriberGuid link = world.subscribed(BOB).guid();
        world.subscriptions()
                .move(
                        new Membership(LIST, address(BOB)),
                        world.find(BOB).etag(),
                        new Membership(LIST, address(NEW)),
                        ADMIN);
        world.inUse = true;
        world.subscriptions().erase(LIST, address(BOB), ADMIN);

        world.subscribe(BOB);
        world.subscriptions().confirm(LIST, world.link(BOB), LINK);

        assertThat(world.state(BOB)).isEqualTo(SubscriberState.SUBSCRIBED);
        EmailAddress behindTheOldLink =
                world.store().find(LIST, link).orElseThrow().value().address();
        assertThat(behindTheOldLink).isEqualTo(address(NEW));
    }

    @Test
    void anIndexRowOfAListThatIsGoneGoesToo() {
        String gone = ShardChoreIndex.PREFIX + "gone.3";
        Values longAgo = Values.of("AnnouncedAt", world.time.instant().minus(Duration.ofMinutes(6)));
        world.tables().write(ShardChoreIndex.TABLE, ShardChoreIndex.PARTITION, Write.upsert(gone, longAgo));

        world.look();

        assertThat(world.tables().get(ShardChoreIndex.TABLE, ShardChoreIndex.PARTITION, gone))
                .isEmpty();
    }

    private SubscribeResult resend() {
        return world.subscriptions().resendConfirmation(LIST, address(BOB), ADMIN);
    }

    private void subscribe(Profile profile) {
        world.subscriptions().subscribe(LIST, address(BOB), profile, API);
    }
}
