package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.sender.FaultyTaker.Fault;
import org.azuremail.transport.sendgrid.FakeSendGrid;
import org.azuremail.transport.sendgrid.FakeSendGrid.Reply;
import org.azuremail.transport.sendgrid.ImpatientSendGrid;
import org.azuremail.transport.sendgrid.SendGridTransport;
import org.azuremail.transport.smtp.ImpatientSmtp;
import org.azuremail.transport.smtp.SmtpTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks several senders with providers on real sockets that make six kinds of errors, each in one of twenty
 * hand-overs. Waits are driven. Only a stall takes a moment of real time.
 */
class FaultsUnderLoadIT {

    private static final int RECIPIENTS = 2_500;
    private static final int SHARDS = 16;
    private static final int SENDERS = 4;
    private static final int BATCH = 10;
    private static final Duration PATIENCE = Duration.ofMillis(400);
    private static final DeliveryLimits LIMITS = DeliveryLimits.SHARED.withSkew(Duration.ZERO);
    private static final Set<Fault> IN_DOUBT = EnumSet.of(Fault.HANGS_UP_BEFORE, Fault.HANGS_UP_AFTER, Fault.STALLS);

    private final long seed = Long.getLong("azuremail.test.seed", new Random().nextLong());
    private final FaultyTaker taker = new FaultyTaker(seed);
    private final SimulatedWorld world = new SimulatedWorld(1);

    @Test
    @Timeout(300)
    void everybodyGetsOneMailOrHasAReasonWhateverAnSmtpServerDoes() throws Exception {
        try (FaultySmtp server = new FaultySmtp(taker);
                SmtpTransport transport = ImpatientSmtp.to(server.port(), SENDERS + 1, PATIENCE, world.time)) {
            Map<String, Outcome> outcomes = mailAll(transport);

            check("smtp", outcomes, 1);
        }
    }

    @Test
    @Timeout(300)
    void everybodyGetsOneMailOrHasAReasonWhateverSendGridDoes() throws Exception {
        try (FakeSendGrid server = new FakeSendGrid().withoutReadingMails().answer(this::answer);
                SendGridTransport transport =
                        ImpatientSendGrid.to(server.endpoint(), BATCH, PATIENCE.multipliedBy(2), world.time)) {
            Map<String, Outcome> outcomes = mailAll(transport);

            check("sendgrid", outcomes, BATCH);
        }
    }

    private Reply answer(List<String> recipients) {
        Fault fault = taker.next();
        if (fault == Fault.NONE || fault == Fault.HANGS_UP_AFTER || fault == Fault.STALLS) {
            recipients.forEach(taker::took);
        }
        return switch (fault) {
            case LATER -> Reply.of(429, "too many requests");
            case LATER_AT_A_TIME ->
                Reply.of(429, "too many requests")
                        .with(
                                "X-RateLimit-Reset",
                                String.valueOf(
                                        world.time.instant().plusSeconds(7).getEpochSecond()));
            case FAILS -> Reply.of(500, "out of order");
            case HANGS_UP_BEFORE, HANGS_UP_AFTER -> new Reply(0, "", Map.of());
            case STALLS -> new Reply(-1, "", Map.of());
            default -> null;
        };
    }

    private Map<String, Outcome> mailAll(MailTransport transport) throws Exception {
        List<SimulatedProcess> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            senders.add(new SimulatedProcess(
                    world.storage.storage(), world.time, world.ids, LIMITS, transport, mails -> RateLimitWait.NONE));
        }
        world.process = senders.get(0);
        MessageRef ref = world.message(world.list("crowd", SHARDS, RECIPIENTS, 0), OnUnknown.HOLD);
        ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
        try {
            for (int turn = 0;
                    turn < 2_000 && !world.process.messageStore.active().isEmpty();
                    turn++) {
                turn(senders, threads);
            }
        } finally {
            threads.shutdownNow();
        }
        world.assertAccounted(ref, SimulatedWorld.verified("crowd", RECIPIENTS));
        world.outcomes(ref).forEach((address, outcome) -> {
            if (outcome != Outcome.SENT) {
                assertThat(world.detail(ref, address))
                        .as("the reason of " + address)
                        .isNotBlank();
            }
        });
        return world.outcomes(ref);
    }

    private void turn(List<SimulatedProcess> senders, ExecutorService threads) throws Exception {
        world.process.look();
        world.process.drain(world.process.fanOut);
        List<Future<?>> turns = new ArrayList<>();
        senders.forEach(sender -> turns.add(threads.submit(() -> sender.drain(sender.sender))));
        for (Future<?> turn : turns) {
            turn.get();
        }
        senders.forEach(sender -> assertThat(sender.thrown).isEmpty());
        world.time.advance(Duration.ofSeconds(10));
    }

    private void check(String transport, Map<String, Outcome> outcomes, int lot) {
        Map<Fault, Integer> faults = taker.happened();
        long unknown = SimulatedWorld.count(outcomes, Outcome.UNKNOWN);
        System.out.printf(
                "faults over %s: -Dazuremail.test.seed=%d %s; %d sent, %d failed, %d unknown%n",
                transport,
                seed,
                faults,
                SimulatedWorld.count(outcomes, Outcome.SENT),
                SimulatedWorld.count(outcomes, Outcome.FAILED),
                unknown);
        assertThat(faults.keySet()).as("each fault happened").containsExactlyInAnyOrder(Fault.values());
        outcomes.forEach((address, outcome) -> {
            int times = taker.times(address);
            assertThat(times).as("mails to " + address).isLessThanOrEqualTo(1);
            if (outcome != Outcome.UNKNOWN) {
                assertThat(times).as(outcome + " " + address).isEqualTo(outcome == Outcome.SENT ? 1 : 0);
            }
        });
        int doubts = faults.entrySet().stream()
                .filter(fault -> IN_DOUBT.contains(fault.getKey()) || fault.getKey() == Fault.FAILS)
                .mapToInt(Map.Entry::getValue)
                .sum();
        assertThat(unknown)
                .as("in doubt: who was in the air when it went wrong")
                .isLessThanOrEqualTo((long) doubts * lot);
    }
}
