package org.azuremail.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mailclass.Plan;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.junit.jupiter.api.Test;

/** Checks the signals that each run sends, the messages that it takes up, and when the next run is due. */
class DueMessagesTest {

    private final SchedulerWorld world = new SchedulerWorld();

    @Test
    void aSchedulerThatIsAloneRestsUntilTheFirstMessageIsDue() {
        world.message(world.time.instant().plus(Duration.ofHours(5)));
        world.message(world.time.instant().plus(Duration.ofHours(3)));

        world.due.run();

        assertThat(world.due.active()).isFalse();
        assertThat(world.due.restAsOnlyProcess()).isEqualTo(Duration.ofHours(3));
        assertThat(world.signals.active).isEmpty();
    }

    @Test
    void theNextLookComesNoLaterThanTheNextMessageIsDue() {
        world.message(world.time.instant().plus(Duration.ofSeconds(30)));

        world.due.run();

        assertThat(world.due.interval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(world.due.restAsOnlyProcess()).isEqualTo(Duration.ofSeconds(30));
        world.time.advance(Duration.ofSeconds(20));
        assertThat(world.due.interval()).isEqualTo(Duration.ofSeconds(30));
        world.time.advance(Duration.ofSeconds(10));
        world.due.run();
        assertThat(world.due.interval()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void theSignalOfAnActiveMessageLastsLongerThanTwoLooks() {
        world.queuing();

        assertThat(world.due.active()).isTrue();
        assertThat(world.due.restAsOnlyProcess()).isEqualTo(world.due.interval());
        assertThat(world.signals.active).singleElement().satisfies(lasts -> assertThat(lasts)
                .isGreaterThan(world.due.interval().multipliedBy(2)));
    }

    @Test
    void aMessageThatCannotBeReadCountsAsUnderWay() {
        failOn(world.message(world.time.instant().plus(Duration.ofDays(1))));

        assertThatThrownBy(world.due::run).isInstanceOf(StorageException.class);

        assertThat(world.due.active()).isTrue();
    }

    @Test
    void aMessageThatCannotBeReadDoesNotStopTheLookAtOthers() {
        failOn(world.message(world.time.instant()));
        MessageRef next = world.message(world.time.instant());

        assertThatThrownBy(world.due::run).isInstanceOf(StorageException.class);

        assertThat(world.read(next).value().status()).isEqualTo(MessageStatus.QUEUING);
    }

    @Test
    void r11_aMessageThatIsTakenUpHasTheClassOfItsListsPlanFromThenOn() {
        assertThat(classOf(world.queuing())).isEqualTo("Normal");
        world.plan(Plan.FREE);
        MessageRef low = world.queuing();
        world.plan(Plan.FEE_PAYING);

        assertThat(classOf(world.queuing())).isEqualTo("Normal");
        assertThat(classOf(low)).isEqualTo("Low");
    }

    @Test
    void r14_aClassThatItsAuthorChoseWinsAndAnUnknownOneBecomesTheDefault() {
        world.plan(Plan.FREE);
        MessageRef high = world.message(world.time.instant(), "high");
        MessageRef unknown = world.message(world.time.instant(), "Gold");

        world.due.run();

        assertThat(classOf(high)).isEqualTo("High");
        assertThat(classOf(unknown)).isEqualTo("Normal");
    }

    private String classOf(MessageRef ref) {
        return String.valueOf(world.read(ref).value().mailClass());
    }

    @Test
    void aConfirmationThatWaitsIsUnderWayUntilItIsSettled() {
        EmailAddress bob = new EmailAddress("bob@news.test");
        world.feature.subscriptions().subscribe(SchedulerWorld.LIST, bob, Profile.NONE, Origin.admin("test"));
        world.due.run();
        assertThat(world.due.active()).isTrue();

        world.feature.subscriptions().erase(SchedulerWorld.LIST, bob, Origin.admin("test"));
        world.time.advance(Duration.ofMinutes(6));
        world.due.run();

        assertThat(world.due.active()).isFalse();
        assertThat(world.messages.activeIndex().others()).isEmpty();
    }

    @Test
    void countsThatFollowLateAreMadeAndLookedAtAgainSoon() {
        MessageRef ref = world.message(world.time.instant().plus(Duration.ofDays(1)));
        world.putInIndex("recount:" + ref.padded() + ".0");

        world.due.run();

        assertThat(world.due.restAsOnlyProcess()).isEqualTo(DueMessages.CHORE_INTERVAL);
        assertThat(world.messages.activeIndex().others()).isEmpty();
    }

    @Test
    void aServiceWithAChoreIsWokenAgainAfterAWhile() {
        world.putInIndex("chore:sweep");

        world.due.run();
        world.due.run();
        assertThat(world.signals.woken).containsExactly("growth", "sweep");
        assertThat(world.due.restAsOnlyProcess()).isEqualTo(DueMessages.CHORE_INTERVAL);

        world.time.advance(DueMessages.CHORE_INTERVAL);
        world.due.run();
        assertThat(world.signals.woken).containsExactly("growth", "sweep", "sweep");
    }

    private void failOn(MessageRef unreadable) {
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.toString().contains("message" + unreadable.padded())) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
                }
            }
        });
    }
}
