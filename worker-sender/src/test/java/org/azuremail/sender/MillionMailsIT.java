package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.message.MessageStatus;
import org.azuremail.sender.ScaleCampaign.Plan;
import org.azuremail.sender.ScaleCampaign.Result;
import org.junit.jupiter.api.Test;

/**
 * Checks the real schedulers and senders on a simulated account with Azure's limits, in virtual time. Computing takes
 * none of it. {@code -Dazuremail.test.mails=1000000} draws the whole curve with as many emails.
 * {@code -Dazuremail.test.million=1000000} sends a million in the test of that name, as infra/prove does; a build sends
 * a fifth of them.
 */
class MillionMailsIT {

    private static final int MILLION = 1_000_000;
    private static final int MANY = Integer.getInteger("azuremail.test.million", MILLION / 5);
    private static final int SCHEDULERS = 4;
    private static final List<Integer> SENDERS = List.of(1, 4, 16);
    private static final Duration SWIFT = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final int CURVE = Integer.getInteger("azuremail.test.mails", 50_000);

    /** The factor by which more senders may be slower, because they poll the queue more often. */
    private static final double NO_SLOWER = 1.1;

    /**
     * The time that depends on when the scheduler polls. A range whose item was lost or refused waits for the next
     * poll, ten seconds at most.
     */
    private static final Duration NEXT_LOOK = Duration.ofSeconds(10);

    @Test
    void e24_aMillionMailsTakeLessThanFiveMinutesWithSixteenSenders() throws Exception {
        Result result = run(MANY, 16, SWIFT);

        Duration sending =
                Duration.ofMinutes(5).minus(NEXT_LOOK).multipliedBy(MANY).dividedBy(MILLION);
        assertThat(result.took()).as("virtual time").isLessThan(sending.plus(NEXT_LOOK));
    }

    @Test
    void e24_moreSendersAreNeverSlower() throws Exception {
        curve(SWIFT);
    }

    @Test
    void e24_sendersThatWaitForASlowProviderShareTheWait() throws Exception {
        List<Duration> times = curve(SLOW);

        assertThat(times.get(0)).isGreaterThan(times.get(1).minus(NEXT_LOOK).multipliedBy(2));
    }

    @Test
    void e24_theTutorialsOwnDesignIsHeldUpByItsOnePartition() throws Exception {
        int mails = CURVE / 5;
        TutorialCampaign.Result then = TutorialCampaign.run(mails, AccountLimits.OF_2012);
        System.out.printf("scale, at 500 entities/s: %s%n", then.line());
        TutorialCampaign.Result today = TutorialCampaign.run(mails, AccountLimits.TODAY);
        System.out.printf("scale, at 2,000 entities/s: %s%n", today.line());

        assertThat(then.sent()).isEqualTo(mails);
        assertThat(then.took()).isGreaterThan(Duration.ofSeconds(mails * 3L / AccountLimits.OF_2012.partition()));
        assertThat(then.took()).isGreaterThan(today.took().multipliedBy(2));
        within(then.account(), AccountLimits.OF_2012);
        within(today.account(), AccountLimits.TODAY);
    }

    /** Returns only the times, so that the storage of one simulation is freed before the next one begins. */
    private static List<Duration> curve(Duration perLot) throws InterruptedException {
        List<Duration> times = new ArrayList<>();
        for (int senders : SENDERS) {
            times.add(run(CURVE, senders, perLot).took());
        }
        for (int i = 1; i < times.size(); i++) {
            assertThat((double) times.get(i).toMillis())
                    .as("%d senders, beside %d", SENDERS.get(i), SENDERS.get(i - 1))
                    .isLessThanOrEqualTo(NO_SLOWER * times.get(i - 1).toMillis() + NEXT_LOOK.toMillis());
        }
        return times;
    }

    private static Result run(int mails, int senders, Duration perLot) throws InterruptedException {
        Plan plan = new Plan(mails, senders, SCHEDULERS, perLot, AccountLimits.TODAY, 7);
        Result result = ScaleCampaign.run(plan);
        System.out.printf(
                "scale, a lot takes %d to %d ms: %s%n", perLot.toMillis(), 2 * perLot.toMillis(), result.line());
        assertThat(result.message().status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(result.message().result().recipients()).isEqualTo(mails);
        assertThat(result.message().result().counts().sent()).isEqualTo(mails);
        assertThat(result.provider().taken(1)).as("mailed exactly once").isEqualTo(mails);
        within(result.account(), AccountLimits.TODAY);
        return result;
    }

    private static void within(SimulatedAccount account, AccountLimits limits) {
        assertThat(account.busiestPartition()).isPositive().isLessThanOrEqualTo(limits.partition());
        assertThat(account.busiestQueue()).isPositive().isLessThanOrEqualTo(limits.queue());
        assertThat(account.busiestAccount()).isPositive().isLessThanOrEqualTo(limits.account());
    }
}
