package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that worker A and worker B may die at the steps that the scenarios E-3 to E-10 name. */
class WorkerDeathTests {

    private static final String MAIL_QUEUE = MailItem.TYPE.queue();

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void e3_deathWhileQueuingAfterSomeItemsRepeatsTheRestWithFlagOne() {
        MessageRef ref = message(40, OnUnknown.HOLD);
        int[] sends = {0};
        dieBefore(call -> call.kind() == Kind.SEND && call.place().equals(MAIL_QUEUE) && ++sends[0] == 3);

        turnUntilDeath();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.QUEUING);
        world.restart();
        world.time.advance(Duration.ofMinutes(2));
        List<String> before = itemTexts();
        world.process.look();
        world.process.drain(world.process.fanOut);

        assertThat(before).hasSize(2).allSatisfy(text -> assertThat(text).endsWith(",0"));
        assertThat(itemTexts())
                .filteredOn(text -> text.contains(",@0:") && !before.contains(text))
                .as("the rest of the shard that was being walked, and repeats")
                .hasSizeGreaterThan(2)
                .allSatisfy(text -> assertThat(text).endsWith(",1"));
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 40));
        assertEveryoneOnce(40);
    }

    @Test
    void e4_deathBetweenRowAndItemIsMendedByTheReconcilerWithFlagOne() {
        MessageRef ref = message(3, OnUnknown.HOLD);
        dieBefore(call -> call.kind() == Kind.SEND && call.place().equals(MAIL_QUEUE));

        turnUntilDeath();
        world.restart();
        world.time.advance(Duration.ofSeconds(61));
        world.process.look();

        assertThat(itemTexts()).isNotEmpty().allSatisfy(text -> assertThat(text).endsWith(",1"));
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 3));
        assertEveryoneOnce(3);
    }

    @Test
    void e5_deathAfterAllItemsBeforeProcessingSendsNothingTwice() {
        MessageRef ref = message(20, OnUnknown.HOLD);
        world.process.turn();
        dieBefore(call -> call.kind() == Kind.WRITE && call.partition().startsWith("2026-"));

        turnUntilDeath();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.QUEUING);
        world.restart();

        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 20));
        assertEveryoneOnce(20);
    }

    /** Returns a message to two people whose sender died after its first write. The next sender has not begun. */
    private MessageRef diedWithItsFirstClaim() {
        MessageRef ref = message(2, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        dieAfter(call -> call.kind() == Kind.WRITE && call.partition().startsWith("mail."));
        turnUntilDeath();
        world.restart();
        return ref;
    }

    @Test
    void e6_deathBeforeHandingCostsNothing() {
        MessageRef ref = diedWithItsFirstClaim();

        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 2));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertEveryoneOnce(2);
    }

    /** The item of the dead process is hidden, and its lease is valid for another half minute. */
    @Test
    void e6_rangesOfAProcessKnownToBeDeadContinueAtOnce() {
        MessageRef ref = diedWithItsFirstClaim();
        world.process.look();
        world.process.drain(world.process.sender);
        assertThat(world.transport.taken()).as("of another host nobody knows").isEmpty();

        world.gone = nonce -> true;
        world.restart();
        Instant before = world.time.instant();
        world.process.look();
        world.process.drain(world.process.sender);

        assertThat(world.time.instant()).isEqualTo(before);
        assertEveryoneOnce(2);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 2));
    }

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void e6_deathInHandingBeforeTheTransportTookIt(OnUnknown onUnknown) {
        MessageRef ref = message(1, onUnknown);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.beforeHandOver(() -> dieOnce(once));

        turnUntilDeath();
        world.restart();
        world.runToEnd();

        Outcome expected = onUnknown == OnUnknown.HOLD ? Outcome.UNKNOWN : Outcome.SENT;
        assertThat(world.outcomes(ref).values()).containsExactly(expected);
        assertThat(world.transport.taken().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(onUnknown == OnUnknown.HOLD ? 0 : 1);
    }

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void e7_defect7_deathAfterSendingBeforeArchiving(OnUnknown onUnknown) {
        MessageRef ref = message(1, onUnknown);
        AtomicBoolean once = new AtomicBoolean(true);
        world.transport.afterHandOver(() -> dieOnce(once));

        turnUntilDeath();
        world.restart();
        world.runToEnd();

        Outcome expected = onUnknown == OnUnknown.HOLD ? Outcome.UNKNOWN : Outcome.SENT;
        assertThat(world.outcomes(ref).values()).containsExactly(expected);
        assertThat(world.transport.taken().values()).containsExactly(onUnknown == OnUnknown.HOLD ? 1 : 2);
    }

    @Test
    void aLotThatDiesTwiceUnderResendIsHandedOverNoThirdTime() {
        MessageRef ref = message(3, OnUnknown.RESEND);
        world.transport.afterHandOver(() -> {
            throw new ProcessDied();
        });

        int deaths = 0;
        while (diesWithinTwentyTurns()) {
            deaths++;
            world.restart();
            world.time.advance(Duration.ofMinutes(2));
        }
        world.runToEnd();

        assertThat(deaths).isGreaterThan(1);
        assertThat(world.transport.taken().values())
                .allSatisfy(times -> assertThat(times).isLessThanOrEqualTo(2));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.UNKNOWN);
    }

    @Test
    void e8_defect4_deathAfterArchivingBeforeRowDeleteSendsNoSecondMail() {
        MessageRef ref = message(2, OnUnknown.HOLD);
        dieAfter(call -> call.kind() == Kind.WRITE && call.place().equals("messagearchive"));

        turnUntilDeath();
        world.restart();
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 2));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertEveryoneOnce(2);
        assertThat(world.messageRows()).isEmpty();
    }

    @Test
    void e9_defect6_deathAfterRowDeleteBeforeItemDeleteRemovesTheItemQuietly() {
        MessageRef ref = message(2, OnUnknown.HOLD);
        dieBefore(call -> call.kind() == Kind.DELETE_ITEM && call.place().equals(MAIL_QUEUE));

        turnUntilDeath();
        world.restart();
        world.runToEnd();
        world.time.advance(Duration.ofMinutes(2));
        world.process.drain(world.process.sender);

        world.assertAccounted(ref, verified("contoso1", 2));
        assertEveryoneOnce(2);
        assertThat(world.storage.queues().approximateCount(MAIL_QUEUE)).isZero();
        assertThat(world.process.thrown).isEmpty();
    }

    @Test
    void e10_defect5_anOldFlagZeroItemAfterARestartSendsNothing() {
        MessageRef ref = message(5, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        List<String> old = itemTexts();
        assertThat(old).isNotEmpty().allSatisfy(text -> assertThat(text).endsWith(",0"));
        world.restart();
        world.runToEnd();

        old.forEach(text -> world.storage.queues().send(MAIL_QUEUE, text));
        world.process.drain(world.process.sender);

        world.assertAccounted(ref, verified("contoso1", 5));
        assertEveryoneOnce(5);
    }

    private MessageRef message(int recipients, OnUnknown onUnknown) {
        ListName list = world.list("contoso1", recipients, 1);
        return world.message(list, onUnknown);
    }

    private void assertEveryoneOnce(int recipients) {
        assertThat(world.transport.taken()).hasSize(recipients);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    private void turnUntilDeath() {
        assertThat(diesWithinTwentyTurns()).as("the process dies").isTrue();
    }

    private boolean diesWithinTwentyTurns() {
        for (int turn = 0; turn < 20; turn++) {
            try {
                world.process.turn();
                world.time.advance(Duration.ofSeconds(10));
            } catch (ProcessDied died) {
                world.storage.hook(CallHook.NONE);
                return true;
            }
        }
        return false;
    }

    private List<String> itemTexts() {
        return world.storage.queues().peek(MAIL_QUEUE, 32).stream()
                .map(QueueItem::text)
                .toList();
    }

    private void dieBefore(Predicate<Call> when) {
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (when.test(call)) {
                    throw new ProcessDied();
                }
            }
        });
    }

    private void dieAfter(Predicate<Call> when) {
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (when.test(call)) {
                    throw new ProcessDied();
                }
            }
        });
    }

    private static void dieOnce(AtomicBoolean once) {
        if (once.getAndSet(false)) {
            throw new ProcessDied();
        }
    }
}
