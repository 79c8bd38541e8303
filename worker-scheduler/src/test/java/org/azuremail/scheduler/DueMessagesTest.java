package org.azuremail.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mailclass.Plan;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.junit.jupiter.api.Test;

/** Checks the signals that a look at the messages gives to others, and when the next look is due. */
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

    @Test
    void messagesThatAnotherProcessEndedAreForgotten() {
        MessageRef ref = world.queuing();
        assertThat(world.reconciler.remembered()).isEqualTo(SchedulerWorld.SHARDS);

        endElsewhere(ref);
        world.due.run();

        assertThat(world.reconciler.remembered()).isZero();
    }

    @Test
    void theRangesLeftBehindOfMessagesThatAnotherProcessEndedAreForgotten() {
        world.subscribers(30);
        MessageRef ref = world.queuing();
        world.walkAllBut();
        Versioned<Range> range = world.ranges(ref).get(0);
        world.deliveries.replaceRange(
                range, range.value().held("dead", world.time.instant().plusSeconds(30)));
        world.gone.add("dead");
        world.due.run();
        assertThat(world.reconciler.remembered()).isEqualTo(SchedulerWorld.SHARDS + 1);

        endElsewhere(ref);
        world.due.run();

        assertThat(world.reconciler.remembered()).isZero();
    }

    @Test
    void aMessageThatWaitedForItsClassAndWasEndedElsewhereIsForgotten() {
        MessageRef ref = world.message(world.time.instant().plus(Duration.ofDays(1)));
        Versioned<Message> waiting = world.read(ref);
        ActiveEntry entry = entryOf(ref);
        assertThat(world.held.due(entry, waiting)).isTrue();
        world.time.advance(Duration.ofMinutes(6));
        assertThat(world.held.due(entry, waiting)).isTrue();
        world.due.run();
        assertThat(world.held.due(entry, waiting)).isFalse();

        endElsewhere(ref);
        world.due.run();

        assertThat(world.held.due(entry, waiting)).isTrue();
    }

    @Test
    void aScheduledMessageThatRestedIsTakenUpAtItsDate() {
        MessageRef ref = world.message(world.time.instant().plus(Duration.ofHours(3)));
        run(Duration.ofHours(3).minusMinutes(1));
        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.PENDING);
        world.time.advance(Duration.ofMinutes(1));

        world.due.run();

        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.QUEUING);
    }

    @Test
    void aScheduledMessageThatWasPausedIsTakenUpWhenItIsResumed() {
        MessageRef ref = world.message(world.time.instant().plus(Duration.ofHours(3)));
        world.control.pause(ref, Reason.NONE);
        run(Duration.ofHours(30));
        world.control.resume(ref);

        world.due.run();

        assertThat(world.read(ref).value().status()).isEqualTo(MessageStatus.QUEUING);
    }

    @Test
    void aMessageThatStaysPausedIsLookedAtEverMoreRarely() {
        world.subscribers(30);
        MessageRef ref = paused();

        List<Integer> looks = new ArrayList<>();
        for (int minute = 0; minute <= 240; minute++) {
            if (looksAtParts()) {
                looks.add(minute);
            }
            world.time.advance(Duration.ofMinutes(1));
        }

        assertThat(looks).containsExactly(0, 1, 2, 3, 4, 5, 10, 20, 40, 80, 140, 200);
        assertThat(world.messages.findActive(ref)).isPresent();
    }

    @Test
    void aMessageThatWasFinishedWhilePausedIsCompleted() {
        world.subscribers(30);
        MessageRef ref = paused();
        run(Duration.ofMinutes(45));
        world.ranges(ref).forEach(range -> world.deliveries.replaceRange(range, allSent(range.value())));

        run(Duration.ofMinutes(36));

        assertThat(world.messages.find(ref).orElseThrow().status()).isEqualTo(MessageStatus.COMPLETED);
    }

    @Test
    void aPausedMessageThatGoesOnIsLookedAtAgainAtOnce() {
        world.subscribers(30);
        MessageRef ref = paused();
        run(Duration.ofHours(3));
        assertThat(looksAtParts()).isFalse();

        world.control.resume(ref);

        assertThat(looksAtParts()).isTrue();
        assertThat(world.due.active()).isTrue();
    }

    @Test
    void aResumptionThatBreaksOffIsFollowedForMinutes() {
        world.subscribers(30);
        MessageRef ref = paused();
        run(Duration.ofHours(3));
        boolean[] looked = {false};
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                boolean resumes =
                        call.kind() == Call.Kind.WRITE && !call.partition().startsWith(".");
                if (resumes && !looked[0]) {
                    looked[0] = true;
                    world.due.run();
                }
            }

            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE && !call.partition().startsWith(".")) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "the process dies", null);
                }
            }
        });
        assertThatThrownBy(() -> world.control.resume(ref)).isInstanceOf(StorageException.class);
        world.simulated.hook(CallHook.NONE);
        assertThat(looked[0]).as("a look between the index and the message").isTrue();
        world.time.advance(Duration.ofMinutes(1));

        world.due.run();

        assertThat(world.drain(MailItem.TYPE.queue())).isNotEmpty();
    }

    /** A message with ranges of which nobody has taken any; their items are gone. */
    private MessageRef paused() {
        MessageRef ref = world.queuing();
        world.walkAllBut();
        world.due.run();
        world.control.pause(ref, Reason.NONE);
        world.drain(MailItem.TYPE.queue());
        return ref;
    }

    private void run(Duration duration) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plusMinutes(1)) {
            world.due.run();
            world.time.advance(Duration.ofMinutes(1));
        }
    }

    private static Range allSent(Range range) {
        OutcomeCounts all = new OutcomeCounts(range.span().recipients(), 0, 0, 0);
        return range.held("sender", Instant.EPOCH).counted(all).finished();
    }

    private boolean looksAtParts() {
        boolean[] looks = {false};
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                looks[0] |= call.partition().startsWith("mail.");
            }
        });
        world.due.run();
        world.simulated.hook(CallHook.NONE);
        return looks[0];
    }

    private ActiveEntry entryOf(MessageRef ref) {
        return world.messages.active().stream()
                .filter(entry -> entry.ref().equals(ref))
                .findFirst()
                .orElseThrow();
    }

    private void endElsewhere(MessageRef ref) {
        Versioned<Message> read = world.read(ref);
        Message ended = read.value().resumed().become(MessageStatus.CANCELLED);
        world.messages.archive(world.messages.replace(read, ended).done().orElseThrow());
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
