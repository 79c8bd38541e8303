package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AddressChangeTest {

    private static final String OLD = "old@example.org";
    private static final String NEW = "new@example.org";

    private final SubscriptionWorld world = new SubscriptionWorld();

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    @Test
    void theNewAddressIsSubscribedAndTheOldOneUnsubscribed() {
        Subscriber before = world.subscribed(OLD);

        EditResult result = change(OLD, NEW);

        assertThat(result).isInstanceOf(EditResult.Saved.class);
        assertThat(world.state(NEW)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(world.get(NEW).profile()).isEqualTo(before.profile());
        assertThat(world.state(OLD)).isEqualTo(SubscriberState.UNSUBSCRIBED);
        EmailAddress old = address(OLD);
        assertThat(world.store().departuresIn(LIST, world.list().shardOf(old), OLD, OLD))
                .isEqualTo(Map.of(OLD, DepartureReason.ADDRESS_CHANGED));
        assertThat(world.departed).containsExactly(old);
    }

    @Test
    void linksAlreadySentKeepWorkingOverSeveralChanges() {
        SubscriberGuid link = world.subscribed(OLD).guid();
        change(OLD, NEW);
        change(NEW, "newer@example.org");

        assertThat(world.store().find(LIST, link).orElseThrow().value().address())
                .isEqualTo(address("newer@example.org"));
        assertThat(world.subscriptions().leave(LIST, link, LINK)).isInstanceOf(LeaveResult.Left.class);
        assertThat(world.state("newer@example.org")).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void aPersonCanReturnToAnEarlierAddress() {
        SubscriberGuid link = world.subscribed(OLD).guid();
        change(OLD, NEW);

        assertThat(change(NEW, OLD)).isInstanceOf(EditResult.Saved.class);

        assertThat(world.state(OLD)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(world.state(NEW)).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(world.store().departuresIn(LIST, world.list().shardOf(address(OLD)), OLD, OLD))
                .isEmpty();
        assertThat(world.store().find(LIST, link).orElseThrow().value().address())
                .isEqualTo(address(OLD));
    }

    @Test
    void anAddressThatIsTakenIsRefusedAndNothingChanges() {
        world.subscribed(OLD);
        world.subscribed(NEW);

        assertThat(change(OLD, NEW)).isInstanceOf(EditResult.AlreadyThere.class);

        assertThat(world.state(OLD)).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void aChangeOfAddressDoesNotResubscribeAnybody() {
        world.subscribed(NEW);
        world.subscriptions().leave(LIST, address(NEW), LINK);
        world.subscribed(OLD);

        assertThat(change(OLD, NEW)).isInstanceOf(EditResult.AlreadyThere.class);

        assertThat(world.state(NEW)).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void anUnsubscribedPersonCannotChangeAddress() {
        world.subscribed(OLD);
        world.subscriptions().leave(LIST, address(OLD), LINK);

        assertThat(change(OLD, NEW)).isInstanceOf(EditResult.NotPossible.class);
    }

    @Test
    void e19_aChangeOfAnOldVersionIsRefusedWithTheCurrentOne() {
        world.subscribed(OLD);
        String seen = world.find(OLD).etag();
        world.subscriptions().adminEdit(LIST, address(OLD), seen, new Profile("Other", Map.of()), true, ADMIN);

        EditResult result = world.subscriptions()
                .move(new Membership(LIST, address(OLD)), seen, new Membership(LIST, address(NEW)), ADMIN);

        assertThat(result).isInstanceOf(EditResult.Conflict.class);
        assertThat(((EditResult.Conflict) result).current().value().profile().name())
                .isEqualTo("Other");
    }

    @Test
    void anotherCaseChangesOnlyTheTypedFormOfTheAddress() {
        world.subscribed(OLD);

        EditResult result = change(OLD, "Old@example.org");

        assertThat(((EditResult.Saved) result).subscriber().value().address().value())
                .isEqualTo("Old@example.org");
        assertThat(world.departed).isEmpty();
    }

    @Test
    void anUnconfirmedPersonIsAskedAtTheNewAddressWhichTheOldLinkDoesNotConfirm() {
        world.subscribe(OLD);
        ConfirmationLink oldLink = world.link(OLD);
        world.drainQueue();

        change(OLD, NEW);

        Subscriber moved = world.get(NEW);
        assertThat(moved.state()).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(world.drainQueue()).containsExactly(moved.guid() + ",news");
        assertThat(world.subscriptions().confirm(LIST, oldLink, LINK)).isInstanceOf(ConfirmResult.Dead.class);
        assertThat(world.subscriptions().confirm(LIST, world.link(moved), LINK))
                .isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @Test
    void erasingThePersonRemovesTheEarlierAddressToo() {
        world.subscribed(OLD);
        change(OLD, NEW);

        world.subscriptions().erase(LIST, address(NEW), ADMIN);

        assertThat(world.rows("news.").toString()).doesNotContain(OLD).doesNotContain(NEW);
    }

    @Test
    void aNewSubscriptionOfTheOldAddressIsAnotherPerson() {
        SubscriberGuid link = world.subscribed(OLD).guid();
        change(OLD, NEW);

        world.subscribe(OLD);

        Subscriber again = world.get(OLD);
        assertThat(again.guid()).isNotEqualTo(link);
        assertThat(world.store().find(LIST, link).orElseThrow().value().address())
                .isEqualTo(address(NEW));
        assertThat(world.subscriptions().confirm(LIST, world.link(again), LINK))
                .isInstanceOf(ConfirmResult.Confirmed.class);
        assertThat(world.state(NEW)).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    private EditResult change(String from, String to) {
        return world.subscriptions()
                .move(
                        new Membership(LIST, address(from)),
                        world.find(from).etag(),
                        new Membership(LIST, address(to)),
                        ADMIN);
    }
}
