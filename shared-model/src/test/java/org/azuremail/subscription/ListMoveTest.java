package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.MoveWorld.BOB;
import static org.azuremail.subscription.MoveWorld.HERE;
import static org.azuremail.subscription.MoveWorld.OTHER;
import static org.azuremail.subscription.MoveWorld.THERE;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListMoveTest {

    private final MoveWorld moves = new MoveWorld();
    private final SubscriptionWorld world = moves.world;

    @AfterEach
    void countsAndSatellitesFitOnBothLists() {
        moves.checkInvariants();
    }

    @Test
    void aMoveKeepsStateProfileAndConsentAndUnsubscribesTheOldRow() {
        Subscriber before = moves.subscribed();

        Subscriber moved = MoveWorld.saved(moves.move());

        assertThat(moved.list()).isEqualTo(OTHER);
        assertThat(moved.state()).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(moved.profile()).isEqualTo(before.profile());
        assertThat(moved.consent().latest(Declaration.Kind.VERIFIED_BY_ADMIN)).isPresent();
        Declaration declared =
                moved.consent().latest(Declaration.Kind.LIST_CHANGED).orElseThrow();
        assertThat(declared.detail()).isEqualTo("from bob@example.org on news to bob@example.org on sports");
        assertThat(declared.by()).isEqualTo("ada@example.org");
        assertThat(moves.state(HERE)).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(moves.get(HERE).movedTo()).contains(THERE);
        assertThat(moves.left(HERE)).contains(DepartureReason.MOVED);
        assertThat(moves.left(THERE)).isEmpty();
        assertThat(world.departed).containsExactly(HERE.address());
    }

    @Test
    void theNewListGetsTheAttributesOfThePerson() {
        moves.subscribed();

        moves.move();

        assertThat(world.lists.findActive(OTHER).orElseThrow().attributes()).contains("city", "hobby");
    }

    @Test
    void aListWithoutRoomForTheAttributesRefusesTheMove() {
        moves.subscribed();
        world.lists.addAttributes(
                OTHER,
                IntStream.range(1, MailingList.MAX_ATTRIBUTES)
                        .mapToObj(i -> "a" + i)
                        .collect(Collectors.toCollection(TreeSet::new)));

        EditResult result = moves.move();

        assertThat(((EditResult.NotPossible) result).reason().words()).contains("no room");
        stayed();
    }

    @Test
    void addressAndListMayChangeTogether() {
        moves.subscribed();
        Membership robert = new Membership(OTHER, address("robert@example.org"));

        moves.move(HERE, robert);

        assertThat(moves.state(robert)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(moves.find(THERE)).isEmpty();
    }

    @Test
    void linksAlreadySentKeepWorkingOverSeveralListsAndBack() {
        SubscriberGuid first = moves.subscribed().guid();
        SubscriberGuid second = MoveWorld.saved(moves.move()).guid();
        moves.move(THERE, HERE);

        assertThat(moves.state(HERE)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(moves.left(HERE)).isEmpty();
        assertThat(world.store().find(OTHER, second).orElseThrow().value().list())
                .isEqualTo(LIST);
        assertThat(moves.subscriptions().leave(LIST, first, LINK)).isInstanceOf(LeaveResult.Left.class);
        assertThat(moves.active()).isZero();
    }

    @Test
    void aLinkSaysWhetherItWasMailedToTheAddressOfNowWhicheverMoveChangedIt() {
        Membership elsewhere = new Membership(OTHER, address("robert@example.org"));
        SubscriberGuid link = moves.subscribed().guid();
        assertThat(isForTheAddressOfNow(LIST, link)).isTrue();
        SubscriberGuid onOther = MoveWorld.saved(moves.move()).guid();
        assertThat(isForTheAddressOfNow(LIST, link)).isTrue();

        moves.move(THERE, elsewhere);
        assertThat(isForTheAddressOfNow(LIST, link)).isFalse();
        assertThat(isForTheAddressOfNow(OTHER, onOther)).isFalse();

        moves.move(elsewhere, new Membership(LIST, elsewhere.address()));
        assertThat(isForTheAddressOfNow(LIST, link)).isFalse();
        assertThat(isForTheAddressOfNow(OTHER, onOther)).isFalse();
    }

    private boolean isForTheAddressOfNow(ListName list, SubscriberGuid link) {
        return world.store().follow(list, link).orElseThrow().sameAddress();
    }

    @Test
    void aPersonIsAsOldOnANewListAsTheMoveAndAtANewAddressAsBefore() {
        Instant added = moves.subscribed().createdAt();
        world.time.advance(Duration.ofDays(3));
        Instant moved = world.time.instant();

        assertThat(MoveWorld.saved(moves.move()).createdAt()).isEqualTo(moved).isAfter(added);
        world.time.advance(Duration.ofDays(3));
        moves.move(THERE, new Membership(OTHER, address("robert@example.org")));

        assertThat(moves.get(new Membership(OTHER, address("robert@example.org")))
                        .createdAt())
                .isEqualTo(moved);
    }

    @Test
    void theOldUnsubscribeLinkUnsubscribesFromTheNewList() {
        SubscriberGuid link = moves.subscribed().guid();
        moves.move();

        LeaveResult left = moves.subscriptions().leave(LIST, link, LINK);

        assertThat(((LeaveResult.Left) left).subscriber().list()).isEqualTo(OTHER);
        assertThat(moves.left(THERE)).contains(DepartureReason.UNSUBSCRIBED);
    }

    @Test
    void anUnconfirmedPersonIsAskedForTheNewListAndBothLinksConfirm() {
        world.subscribe(BOB);
        ConfirmationLink oldLink = world.link(moves.get(HERE));
        world.drainQueue();

        Subscriber moved = MoveWorld.saved(moves.move());

        assertThat(moved.state()).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(world.drainQueue()).containsExactly(moved.guid() + ",sports");
        assertThat(moves.subscriptions().confirm(LIST, oldLink, LINK)).isInstanceOf(ConfirmResult.Confirmed.class);
        assertThat(moves.state(THERE)).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void aLinkToAnotherAddressConfirmsNothingAcrossAnyNumberOfLists() {
        world.subscribe(BOB);
        ConfirmationLink oldLink = world.link(moves.get(HERE));
        Membership robert = new Membership(OTHER, address("robert@example.org"));
        moves.move();
        moves.subscriptions()
                .move(
                        new Membership(OTHER, THERE.address()),
                        moves.find(THERE).orElseThrow().etag(),
                        new Membership(OTHER, robert.address()),
                        ADMIN);

        assertThat(moves.subscriptions().confirm(LIST, oldLink, LINK)).isInstanceOf(ConfirmResult.Dead.class);
        assertThat(moves.state(robert)).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void aPersonOnBothListsCannotMove() {
        moves.subscribed();
        moves.subscriptions().adminAdd(OTHER, THERE.address(), new Profile("Bobby", Map.of()), false, ADMIN);

        EditResult result = moves.move();

        assertThat(((EditResult.AlreadyThere) result)
                        .current()
                        .value()
                        .profile()
                        .name())
                .isEqualTo("Bobby");
        assertThat(moves.subscriptions().refusalOfMove(HERE, THERE)).contains(result);
        stayed();
    }

    @Test
    void aMoveDoesNotResubscribeAnybodyOnTheOtherList() {
        moves.subscribed();
        moves.subscriptions().adminAdd(OTHER, THERE.address(), Profile.NONE, true, ADMIN);
        moves.subscriptions().leave(OTHER, THERE.address(), LINK);

        assertThat(moves.move()).isInstanceOf(EditResult.AlreadyThere.class);

        stayed();
        assertThat(moves.state(THERE)).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void nobodyMovesToAListThatIsDeletedOrBeingDeleted() {
        moves.subscribed();
        ListName never = new ListName("never");
        world.lists.markDeleting(OTHER);

        assertThat(moves.move()).isEqualTo(new EditResult.NoSuchList(OTHER));
        assertThat(moves.move(HERE, new Membership(never, HERE.address()))).isEqualTo(new EditResult.NoSuchList(never));

        stayed();
    }

    @Test
    void unsubscribedAndSuppressedPeopleCannotMove() {
        moves.subscribed();
        moves.subscriptions().suppress(LIST, HERE.address(), ADMIN);

        assertThat(moves.move()).isInstanceOf(EditResult.NotPossible.class);
        assertThat(moves.find(THERE)).isEmpty();
    }

    @Test
    void e19_aMoveOfAnOldVersionIsRefusedWithTheCurrentOne() {
        moves.subscribed();
        String seen = moves.find(HERE).orElseThrow().etag();
        moves.subscriptions().adminEdit(LIST, HERE.address(), seen, new Profile("Other", Map.of()), true, ADMIN);

        EditResult result = moves.subscriptions().move(HERE, seen, THERE, ADMIN);

        assertThat(((EditResult.Conflict) result).current().value().profile().name())
                .isEqualTo("Other");
        assertThat(moves.find(THERE)).isEmpty();
        assertThat(moves.active()).isOne();
    }

    @Test
    void repeatingAFinishedMoveSucceeds() {
        moves.subscribed();
        String seen = moves.find(HERE).orElseThrow().etag();
        moves.subscriptions().move(HERE, seen, THERE, ADMIN);

        assertThat(moves.subscriptions().move(HERE, seen, THERE, ADMIN)).isInstanceOf(EditResult.Saved.class);
    }

    @Test
    void aNewSubscriptionOnTheOldListIsAnotherPerson() {
        SubscriberGuid link = moves.subscribed().guid();
        moves.move();

        world.subscribe(BOB);
        moves.subscriptions().confirm(LIST, world.link(moves.get(HERE)), LINK);

        assertThat(moves.active()).isEqualTo(2);
        assertThat(world.store().find(LIST, link).orElseThrow().value().list()).isEqualTo(OTHER);
    }

    @Test
    void erasingThePersonWaitsForTheMessagesOfBothListsAndRemovesBothRows() {
        moves.subscribed();
        moves.move();
        world.used.add(LIST);

        assertThat(moves.subscriptions().erase(OTHER, THERE.address(), ADMIN)).isEqualTo(EraseResult.SCHEDULED);
        assertThat(moves.left(HERE)).isPresent();

        world.used.clear();
        world.time.advance(Duration.ofMinutes(2));
        world.look();

        assertThat(world.rows("news.").toString()).doesNotContain(BOB);
        assertThat(world.rows("sports.").toString()).doesNotContain(BOB);
    }

    @Test
    void forwardsOfOlderVersionsStillWork() {
        SubscriberGuid old = new SubscriberGuid("0.AAAAAAAAAAAAAAAAAAAAAA");
        Subscriber bob = moves.subscribed();
        Values forwarding = Values.of("Forward", bob.guid().value());
        world.tables().write(SubscriptionStore.TABLE, "news.0", Write.upsert(SubscriberKeys.guid(old), forwarding));

        assertThat(world.store().find(LIST, old).orElseThrow().value()).isEqualTo(bob);
    }

    private void stayed() {
        assertThat(moves.state(HERE)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(moves.get(HERE).bookkeeping().moving()).isFalse();
        assertThat(moves.active()).isOne();
    }
}
