package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.JournaledCampaign.RECIPIENTS;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a sender that hands over emails one by one and dies at every step of a campaign: before and after each storage
 * call, and around each email and its answer. The tests check the contents of its journal, on the same host and on
 * another.
 */
class JournalCrashIT {

    private static final Logger LOG = LoggerFactory.getLogger(JournalCrashIT.class);
    private static final int PAIRS = 100;

    @TempDir
    private Path hosts;

    @Test
    void i2_onTheSameHostOnlyAMailUnderWayIsInDoubt() {
        int points = everyPoint(OnUnknown.HOLD, (campaign, outcomes, underWay) -> {
            for (String address : verified("contoso1", RECIPIENTS)) {
                boolean doubt = address.equals(underWay);
                assertThat(outcomes.get(address)).as(address).isEqualTo(doubt ? Outcome.UNKNOWN : Outcome.SENT);
                assertThat(campaign.transport.taken().getOrDefault(address, 0))
                        .as(address)
                        .isBetween(doubt ? 0 : 1, 1);
            }
        });
        LOG.info("a sender with a journal died at {} points", points);
        assertThat(points).isGreaterThan(200);
    }

    @Test
    void underResendOnlyAMailUnderWayIsHandedOverOnceMore() {
        everyPoint(OnUnknown.RESEND, (campaign, outcomes, underWay) -> {
            assertThat(outcomes.values()).containsOnly(Outcome.SENT);
            campaign.transport.taken().forEach((address, times) -> assertThat(times)
                    .as(address)
                    .isBetween(1, address.equals(underWay) ? 2 : 1));
        });
    }

    @Test
    void refusalsAndDelaysBeforeTheDeathAreKnownToo() {
        JournaledCampaign counted = new JournaledCampaign(OnUnknown.HOLD, hosts.resolve("count"));
        counted.transport.says(JournalCrashIT::mixed);
        counted.diesAt(0);
        for (int point = 1; point <= counted.steps(); point += 3) {
            Path host = hosts.resolve("mixed" + point);
            JournaledCampaign campaign = new JournaledCampaign(OnUnknown.HOLD, host);
            campaign.transport.says(JournalCrashIT::mixed);
            campaign.diesAt(point);
            String underWay = campaign.transport.underWay();
            campaign.start(host, "boot");
            Map<String, Outcome> outcomes = campaign.end();
            for (String address : verified("contoso1", RECIPIENTS)) {
                Outcome usual = address.startsWith("v03") ? Outcome.FAILED : Outcome.SENT;
                assertThat(outcomes.get(address))
                        .as("%s, dead at %d", address, point)
                        .isEqualTo(address.equals(underWay) ? Outcome.UNKNOWN : usual);
                assertThat(campaign.transport.taken().getOrDefault(address, 0)).isLessThanOrEqualTo(1);
            }
        }
    }

    private static Answer mixed(String address) {
        return address.startsWith("v03")
                ? new Answer.Refused(Reason.of(ReasonCode.NO_MAILBOX, "550 no"))
                : new Answer.Accepted("250 ok");
    }

    /**
     * On any host, the next process waits for the answer to an email that was begun and takes back the emails behind
     * it.
     */
    @Test
    void e21_aStopAtAnyStepLeavesNobodyInDoubtAndNoJournal() {
        int steps = steps(OnUnknown.HOLD);
        for (int point = 1; point <= steps; point++) {
            Path host = hosts.resolve("stop" + point);
            JournaledCampaign campaign = new JournaledCampaign(OnUnknown.HOLD, host);
            campaign.stopsAt(point);
            campaign.start(hosts.resolve("next" + point), "boot");
            assertThat(host)
                    .as("stopped at %d", point)
                    .satisfiesAnyOf(none -> assertThat(none).doesNotExist(), empty -> assertThat(empty)
                            .isEmptyDirectory());

            assertThat(campaign.end().values()).as("stopped at %d", point).containsOnly(Outcome.SENT);
            assertThat(campaign.transport.taken().values()).containsOnly(1);
        }
    }

    /** The journal of another host knows nothing of the lot, so the result is the same as without a journal. */
    @Test
    void i2_onAnotherHostTheWholeLotIsInDoubt() {
        doubtsTheWholeLot(host -> host.resolve("elsewhere"), "boot", false);
    }

    /** After a power loss, or in a directory that two hosts share, a missing line proves nothing. */
    @Test
    void i2_afterARebootMailsWithoutAnAnswerAreInDoubt() {
        doubtsTheWholeLot(host -> host, "another boot", false);
    }

    /**
     * A process that is only frozen may write one more email when it wakes up, so its journal proves of no email that
     * it was not sent.
     */
    @Test
    void i2_aJournalWhoseWriterLivesFreesNobody() {
        doubtsTheWholeLot(host -> host, "boot", true);
    }

    private void doubtsTheWholeLot(UnaryOperator<Path> next, String boot, boolean frozen) {
        int steps = steps(OnUnknown.HOLD);
        int doubts = 0;
        for (int point = 1; point <= steps; point += 4) {
            Path host = hosts.resolve(boot + frozen + point);
            JournaledCampaign campaign = new JournaledCampaign(OnUnknown.HOLD, host);
            campaign.diesAt(point);
            campaign.start(next.apply(host), boot, frozen);
            Map<String, Outcome> outcomes = campaign.end();
            assertThat(campaign.transport.taken().values())
                    .as("dead at %d", point)
                    .containsOnly(1);
            long unknown = SimulatedWorld.count(outcomes, Outcome.UNKNOWN);
            assertThat(unknown).isLessThanOrEqualTo(4);
            doubts += unknown > 1 ? 1 : 0;
        }
        assertThat(doubts).as("deaths after which more than one was in doubt").isPositive();
    }

    @Test
    void i2_twoDeathsInARowDoubleNobody() {
        int steps = steps(OnUnknown.HOLD);
        Random random = new Random(20261121);
        for (int pair = 0; pair < PAIRS; pair++) {
            Path host = hosts.resolve("pair" + pair);
            JournaledCampaign campaign = new JournaledCampaign(OnUnknown.HOLD, host);
            int first = 1 + random.nextInt(steps);
            campaign.diesAt(first);
            campaign.start(host, "boot");
            int second = campaign.steps() + 1 + random.nextInt(60);
            campaign.diesAt(second);
            campaign.start(host, "boot");
            Map<String, Outcome> outcomes = campaign.end();

            assertThat(campaign.transport.taken().values())
                    .as("dead at %d and %d", first, second)
                    .containsOnly(1);
            assertThat(SimulatedWorld.count(outcomes, Outcome.UNKNOWN)).isLessThanOrEqualTo(2);
        }
    }

    /** The check that follows each death. */
    private interface Check {
        void run(JournaledCampaign campaign, Map<String, Outcome> outcomes, String underWay);
    }

    private int steps(OnUnknown onUnknown) {
        JournaledCampaign counted = new JournaledCampaign(onUnknown, hosts.resolve("counted" + onUnknown));
        counted.diesAt(0);
        return counted.steps();
    }

    private int everyPoint(OnUnknown onUnknown, Check check) {
        int steps = steps(onUnknown);
        IntFunction<Path> host = point -> hosts.resolve(onUnknown + "-" + point);
        for (int point = 1; point <= steps; point++) {
            JournaledCampaign campaign = new JournaledCampaign(onUnknown, host.apply(point));
            campaign.diesAt(point);
            String underWay = String.valueOf(campaign.transport.underWay());
            campaign.start(host.apply(point), "boot");
            try {
                check.run(campaign, campaign.end(), underWay);
            } catch (AssertionError failed) {
                throw new AssertionError("dead at " + point + " of " + steps + ", under way: " + underWay, failed);
            }
        }
        return steps;
    }
}
