package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.id.SeededIds;
import org.azuremail.journal.Journal;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks one process with two transports of two places each, and one list on each, in virtual time. */
class BesideASlowTransportIT {

    private static final int PLACES = 2;
    private static final int IN_A_RANGE = SimulatedWorld.SMALL.range();
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Clockwork clock = new Clockwork();
    private final SimulatedStorage storage = new SimulatedStorage(clock, 7);
    private final Steady slow = new Steady("slow");
    private final Steady fast = new Steady("fast");
    private final SimulatedProcess process = new SimulatedProcess(
            storage.storage(),
            clock,
            new SeededIds(42),
            SimulatedWorld.SMALL,
            List.of(slow, fast),
            mails -> RateLimitWait.NONE,
            Journal.NONE);

    private boolean over;

    @Test
    void aListOnAFastTransportDoesNotWaitForALongQueueBeforeASlowOne() throws Exception {
        slow.aLot = Duration.ofSeconds(20);
        fast.aLot = Duration.ofMillis(100);
        MessageRef first = message(list("many", slow, 40));
        MessageRef second = message(list("few", fast, 4));
        int[] slowLots = new int[1];
        AtomicInteger writes = new AtomicInteger();
        storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.description().startsWith("Replace !range")) {
                    writes.incrementAndGet();
                }
            }
        });
        Instant began = clock.instant();
        clock.add(() -> {
            awaitEnd(second);
            slowLots[0] = slow.lots;
            awaitEnd(first);
            over = true;
        });

        run();

        assertThat(fast.mails).isEqualTo(4 * IN_A_RANGE);
        assertThat(slow.mails).isEqualTo(40 * IN_A_RANGE);
        assertThat(slowLots[0]).as("lots of the slow one meanwhile").isLessThanOrEqualTo(2 * PLACES);
        long seconds = Duration.between(began, clock.instant()).toSeconds();
        assertThat((long) writes.get()).as("claims, lots and releases").isLessThan(15 * seconds);
    }

    /** Ranges that are put off return in time, so no place stays empty for long. */
    @ParameterizedTest
    @ValueSource(longs = {50, 400, 1_500, 5_000})
    void aTransportThatIsBusyAloneKeepsItsPlacesBusy(long millis) throws Exception {
        slow.aLot = Duration.ofMillis(millis);
        MessageRef ref = message(list("many", slow, 60));
        clock.add(() -> {
            awaitEnd(ref);
            over = true;
        });
        Instant began = clock.instant();

        run();

        Duration took = Duration.between(began, clock.instant());
        Duration ideal = slow.aLot.multipliedBy(slow.lots).dividedBy(PLACES);
        assertThat(took).isLessThan(ideal.multipliedBy(6).dividedBy(5).plusSeconds(2));
    }

    private ListName list(String name, Steady transport, int ranges) {
        ListName list = new ListName(name);
        process.lists.create(new MailingList(
                list,
                "News",
                new EmailAddress("donotreply@contoso.edu"),
                "Contoso",
                null,
                transport.name,
                MailingList.DEFAULT_LANGUAGE,
                OptIn.DOUBLE,
                1,
                new TreeSet<>(),
                clock.instant(),
                null,
                Limits.NONE,
                Brand.NONE,
                false,
                false));
        IntStream.range(0, ranges * IN_A_RANGE).forEach(number -> process.feature
                .subscriptions()
                .adminAdd(
                        list,
                        new EmailAddress("v%03d@%s.test".formatted(number, name)),
                        new Profile("", Map.of()),
                        true,
                        Origin.admin("test")));
        return list;
    }

    private MessageRef message(ListName list) {
        Messages.MessageCreateResult creation = process.messages.create(new Messages.NewMessage(
                list,
                Draft.of("News", "<html><body><p>Hello</p></body></html>", null),
                new Schedule(clock.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test",
                false));
        return ((Messages.MessageCreateResult.Created) creation).message().ref();
    }

    private void run() throws InterruptedException {
        process.look();
        process.drain(process.fanOut);
        Leases leases = InlineWork.leases(storage.storage(), clock, new SeededIds(43), Duration.ofMinutes(1));
        WorkRuntime runtime = InlineWork.runtime(storage.storage(), process.deadLetters, leases, clock, new StopFlag());
        for (int handler = 0; handler < process.sender.concurrency(); handler++) {
            QueueRunner<?> runner = InlineWork.runner(runtime, new OnePlace<>(process.sender));
            clock.add(() -> {
                while (!over) {
                    if (runner.runOnce() == 0) {
                        clock.sleep(LOOK);
                    }
                }
            });
        }
        clock.add(() -> {
            while (!over) {
                process.look();
                runtime.renewals().runOnce();
                clock.sleep(Duration.ofSeconds(1));
            }
        });
        clock.run();
    }

    private void awaitEnd(MessageRef ref) {
        while (process.messageStore.find(ref).orElseThrow().status() != MessageStatus.COMPLETED) {
            clock.sleep(LOOK);
        }
    }

    /** Accepts all emails, and takes the same time for each lot. */
    private final class Steady implements MailTransport {

        private final String name;
        private Duration aLot = Duration.ZERO;
        private int lots;
        private int mails;

        private Steady(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int lotSize() {
            return IN_A_RANGE;
        }

        @Override
        public int concurrency() {
            return PLACES;
        }

        @Override
        public boolean reportsEachEmail() {
            return true;
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            clock.sleep(aLot);
            for (int mail = 0; mail < lot.mails().size(); mail++) {
                guard.begins(mail);
            }
            lots++;
            mails += lot.mails().size();
            return HandOverResult.same(lot.mails().size(), new Answer.Accepted("taken"));
        }
    }
}
