package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.azuremail.id.InstallationKey;
import org.azuremail.id.SeededIds;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A63: the secret in emails of a list only unsubscribes; the link in a confirmation has its own secret, which expires.
 */
class ConfirmationLinkTest {

    private static final String BOB = "bob@example.org";
    private static final String NEW = "robert@example.org";

    private final SubscriptionWorld world = new SubscriptionWorld();

    @Test
    void a63_aNewsletterOfBeforeDoesNotConfirmWhatAStrangerAskedFor() {
        SubscriberGuid inOldNewsletters = world.subscribed(BOB).guid();
        world.subscriptions().leave(LIST, inOldNewsletters, LINK);
        world.subscribe(BOB);

        assertThat(world.get(BOB).guid()).isEqualTo(inOldNewsletters);
        assertThat(confirm(new ConfirmationLink(inOldNewsletters, ""))).isInstanceOf(ConfirmResult.Dead.class);
        assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNCONFIRMED);

        assertThat(confirm(world.link(BOB))).isInstanceOf(ConfirmResult.Confirmed.class);
        assertThat(world.subscriptions().leave(LIST, inOldNewsletters, LINK)).isInstanceOf(LeaveResult.Left.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "AAAAAAAAAAAAAAAAAAAAAA", "äAAAAAAAAAAAAAAAAAAAA", "."})
    void aGuessedSealConfirmsNobody(String seal) {
        world.subscribe(BOB);

        assertThat(confirm(new ConfirmationLink(world.get(BOB).guid(), seal))).isInstanceOf(ConfirmResult.Dead.class);
        assertThat(world.subscriptions()
                        .findByConfirmationLink(
                                LIST, new ConfirmationLink(world.get(BOB).guid(), seal)))
                .isEmpty();
        assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void theSealOfOneSubscriberConfirmsNoOther() {
        world.subscribe(BOB);
        world.subscribe(NEW);
        ConfirmationLink mixed =
                new ConfirmationLink(world.get(BOB).guid(), world.link(NEW).seal());

        assertThat(confirm(mixed)).isInstanceOf(ConfirmResult.Dead.class);
    }

    @Test
    void askingAgainKeepsTheLinkAndProlongsIt() {
        world.subscribe(BOB);
        ConfirmationLink first = world.link(BOB);
        world.time.advance(Duration.ofDays(29));
        world.subscribe(BOB);
        world.time.advance(Duration.ofDays(29));

        assertThat(world.link(BOB)).isEqualTo(first);
        assertThat(confirm(first)).isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @Test
    void aLinkEndsThirtyDaysAfterTheLastRequest() {
        world.subscribe(BOB);
        ConfirmationLink link = world.link(BOB);

        world.time.advance(Duration.ofDays(30).minusMillis(1));
        assertThat(world.subscriptions().findByConfirmationLink(LIST, link)).isPresent();
        world.time.advance(Duration.ofMillis(1));
        assertThat(world.subscriptions().findByConfirmationLink(LIST, link)).isEmpty();
        assertThat(confirm(link)).isInstanceOf(ConfirmResult.Dead.class);

        assertThat(newLink(link)).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        assertThat(confirm(link)).isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @Test
    void aSubscriberWhoLooksAtTheLinkLaterIsStillWelcome() {
        world.subscribe(BOB);
        ConfirmationLink link = world.link(BOB);
        confirm(link);
        world.time.advance(Duration.ofDays(300));

        assertThat(world.subscriptions().findByConfirmationLink(LIST, link)).contains(world.get(BOB));
        assertThat(confirm(link)).isEqualTo(new ConfirmResult.Confirmed(world.get(BOB)));
    }

    static Stream<Map.Entry<String, Consumer<SubscriptionWorld>>> endings() {
        Map<String, Consumer<SubscriptionWorld>> all = new LinkedHashMap<>();
        all.put("leaves by link", w -> w.subscriptions().leave(LIST, w.get(BOB).guid(), LINK));
        all.put("leaves by address", w -> w.subscriptions().leave(LIST, address(BOB), ADMIN));
        all.put("is suppressed and released", w -> {
            w.subscriptions().suppress(LIST, address(BOB), ADMIN);
            w.subscriptions().release(LIST, address(BOB), ADMIN);
        });
        all.put("is erased", w -> w.subscriptions().erase(LIST, address(BOB), ADMIN));
        all.put("is to be erased", w -> {
            w.inUse = true;
            w.subscriptions().erase(LIST, address(BOB), ADMIN);
        });
        all.put("left and is to be erased", w -> {
            w.inUse = true;
            w.subscriptions().leave(LIST, address(BOB), ADMIN);
            w.subscriptions().erase(LIST, address(BOB), ADMIN);
        });
        all.put("goes to another address and back", w -> {
            change(w, BOB, NEW);
            change(w, NEW, BOB);
        });
        all.put("is verified by an admin, then not any more", w -> {
            edit(w, true);
            edit(w, false);
        });
        return all.entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void anEpisodeEndsItsLinksForGood(Map.Entry<String, Consumer<SubscriptionWorld>> ending) {
        world.subscribe(BOB);
        ConfirmationLink link = world.link(BOB);

        ending.getValue().accept(world);
        assertThat(confirm(link)).as("at once").isInstanceOf(ConfirmResult.Dead.class);
        world.time.advance(Duration.ofDays(2));
        world.subscribe(BOB);
        assertThat(confirm(link)).as("asked again").isInstanceOf(ConfirmResult.Dead.class);
        assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNCONFIRMED);

        assertThat(confirm(world.link(BOB))).isInstanceOf(ConfirmResult.Confirmed.class);
        assertThat(confirm(link)).as("confirmed").isInstanceOf(ConfirmResult.Dead.class);
        world.checkInvariants();
    }

    @Test
    void anEpisodeNeverDecreasesWhileTheRowLives() {
        world.inUse = true;
        world.subscribed(BOB);
        int before = 0;
        for (int round = 0; round < 3; round++) {
            world.time.advance(Duration.ofDays(2));
            world.subscriptions().erase(LIST, address(BOB), ADMIN);
            world.subscribe(BOB);
            confirm(world.link(BOB));
            world.subscriptions().leave(LIST, address(BOB), LINK);
            assertThat(world.get(BOB).bookkeeping().episode()).isGreaterThan(before);
            before = world.get(BOB).bookkeeping().episode();
        }
    }

    @Test
    void aRowOfAnEarlierVersionIsInEpisodeZero() {
        world.subscribe(BOB);
        Row row = emailRow();
        assertThat(row.values().asMap()).doesNotContainKey("Episode");
        assertThat(world.get(BOB).bookkeeping().episode()).isZero();

        world.subscriptions().leave(LIST, address(BOB), LINK);
        assertThat(emailRow().values().integer("Episode", 0)).isEqualTo(1);
    }

    @Test
    void importedConsentConfirmsWithoutEndingTheEpisode() {
        world.subscribe(BOB);
        ConfirmationLink link = world.link(BOB);
        edit(world, true);

        assertThat(confirm(link)).isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @Test
    void aDeadLinkOffersANewEmailWithinTheCapOfAllConfirmations() {
        SubscriberGuid old = world.subscribed(BOB).guid();
        world.subscriptions().leave(LIST, old, LINK);
        ConfirmationLink dead = new ConfirmationLink(old, "");

        for (int i = 0; i < 5; i++) {
            assertThat(newLink(dead)).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        }
        assertThat(newLink(dead)).isInstanceOf(SubscribeResult.ConfirmationCapped.class);
        assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(world.drainQueue()).hasSize(5).containsOnly(old + ",news");
    }

    @Test
    void aNewEmailConfirmsNobodyEvenOnAListOfSingleOptIn() {
        SubscriptionWorld single = new SubscriptionWorld(OptIn.SINGLE);
        single.subscriptions().adminAdd(LIST, address(BOB), Profile.NONE, false, ADMIN);

        single.subscriptions().newLink(LIST, single.get(BOB).guid(), LINK);

        assertThat(single.state(BOB)).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(single.drainQueue()).hasSize(1);
    }

    @Test
    void nobodyIsMailedWhoIsSubscribedSuppressedOrToBeErased() {
        ConfirmationLink subscribed = old(world.subscribed("a@example.org"));
        ConfirmationLink suppressed = old(world.subscribed("b@example.org"));
        ConfirmationLink erased = old(world.subscribed("c@example.org"));
        world.subscriptions().suppress(LIST, address("b@example.org"), ADMIN);
        world.inUse = true;
        world.subscriptions().erase(LIST, address("c@example.org"), ADMIN);
        world.drainQueue();

        for (ConfirmationLink link : List.of(subscribed, suppressed, erased)) {
            assertThat(newLink(link)).isNotInstanceOf(SubscribeResult.ConfirmationQueued.class);
        }
        assertThat(world.drainQueue()).isEmpty();
        assertThat(world.get("c@example.org").bookkeeping().chore()).isEqualTo(Bookkeeping.Chore.ERASURE);
    }

    @Test
    void allProcessesOfAnInstallationShareTheKeyThatTheFirstHasMade() {
        world.subscribe(BOB);
        ConfirmationLink mailed = world.link(BOB);
        byte[] first = new InstallationKey(world.tables(), "confirmations", new SeededIds(1), world.time).bytes();

        world.restart();

        assertThat(new InstallationKey(world.tables(), "confirmations", new SeededIds(2), world.time).bytes())
                .isEqualTo(first);
        assertThat(confirm(mailed)).isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @Test
    void withoutTheKeyNoLinkIsWorthAnything() {
        world.subscribe(BOB);
        ConfirmationLink mailed = world.link(BOB);
        world.tables().write("work", "secret", List.of(Write.delete("confirmations")));
        world.tables().write("work", "secret", List.of(Write.insert("confirmations", Values.of("Key", new byte[32]))));
        world.restart();

        assertThat(confirm(mailed)).isInstanceOf(ConfirmResult.Dead.class);
        assertThat(confirm(world.link(BOB))).isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "7.", "7.AAAAAAAAAAAAAAAAAAAAAA.b.c", "x.AAAAAAAAAAAAAAAAAAAAAA.b", "7.A.b"})
    void textsThatAreNoLinkAreNone(String id) {
        assertThat(ConfirmationLink.parse(id)).isEmpty();
    }

    @Test
    void aLinkIsReadBackAsItWasWritten() {
        world.subscribe(BOB);
        ConfirmationLink link = world.link(BOB);

        assertThat(ConfirmationLink.parse(link.id())).contains(link);
        assertThat(link.seal()).matches("[A-Za-z0-9_-]{22}");
        assertThat(ConfirmationLink.parse(link.guid().value())).contains(new ConfirmationLink(link.guid(), ""));
    }

    private ConfirmResult confirm(ConfirmationLink link) {
        return world.subscriptions().confirm(LIST, link, LINK);
    }

    private SubscribeResult newLink(ConfirmationLink link) {
        return world.subscriptions().newLink(LIST, link.guid(), LINK);
    }

    private static ConfirmationLink old(Subscriber subscriber) {
        return new ConfirmationLink(subscriber.guid(), "");
    }

    private Row emailRow() {
        return world.rows("news.").stream()
                .filter(row -> row.rowKey().equals("email:" + BOB))
                .findFirst()
                .orElseThrow();
    }

    private static void change(SubscriptionWorld world, String from, String to) {
        world.subscriptions()
                .move(
                        new Membership(LIST, address(from)),
                        world.find(from).etag(),
                        new Membership(LIST, address(to)),
                        ADMIN);
    }

    private static void edit(SubscriptionWorld world, boolean verified) {
        world.subscriptions().adminEdit(LIST, address(BOB), world.find(BOB).etag(), Profile.NONE, verified, ADMIN);
    }
}
