package org.azuremail.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageState;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.Restoration;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.ManualTime;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the background counts of reasons, domains and rate of a message. */
class FigureCountTest {

    private static final MessageRef REF = new MessageRef(7);

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage simulated = new SimulatedStorage(time);
    private final FigureStore figures = new FigureStore(simulated.tables());
    private final FigureRequests wanted = new FigureRequests(simulated.tables(), Signals.NONE, time);
    private final Instant begin = ManualTime.START;

    @Test
    void reasonsThatDifferOnlyByTheRecipientAreOne() {
        record(0, "ann@a.test", Outcome.FAILED, Reason.ofText("550 5.1.1 <ann@a.test>: mailbox does not exist"), 0);
        record(0, "bob@a.test", Outcome.FAILED, Reason.ofText("550 5.1.1 <bob@a.test>: mailbox does not exist"), 1);
        record(1, "eve@b.test", Outcome.FAILED, Reason.ofText("552 mailbox is full, id 4bXyz19999Qq"), 1);
        record(1, "fay@b.test", Outcome.SKIPPED, Reason.of(ReasonCode.CANCELLED), 1);
        record(1, "gus@c.test", Outcome.SENT, Reason.NONE, 1);

        Figures counted = count();

        assertThat(counted.reasons())
                .extracting(one -> one.outcome() + ": " + one.reason().words() + ": " + one.recipients())
                .containsExactly(
                        "FAILED: 550 5.1.1 <…>: mailbox does not exist: 2",
                        "FAILED: 552 mailbox is full, id …: 1",
                        "SKIPPED: cancelled: 1");
        assertThat(counted.otherReasons()).isZero();
        assertThat(counted.outcomes()).isEqualTo(new OutcomeCounts(1, 3, 1, 0));
    }

    @Test
    void recipientsUnknownForADayAreSilent() {
        record(0, "a@a.test", Outcome.UNKNOWN, Reason.ofText("502"), 0);
        record(
                0,
                "b@a.test",
                Outcome.UNKNOWN,
                Reason.ofText("502"),
                Duration.ofHours(25).toSeconds());
        record(0, "c@a.test", Outcome.SENT, Reason.NONE, 0);
        time.advance(Duration.ofHours(26));
        assertThat(count().undecided()).isOne();
        time.advance(Duration.ofHours(24));
        assertThat(count().undecided()).isEqualTo(2);
    }

    @Test
    void theLargestDomainsComeFirstAndTheOthersAreSummed() {
        for (int i = 0; i < 60; i++) {
            record(i % 2, "a@d" + i + ".test", Outcome.SENT, Reason.NONE, 0);
        }
        record(0, "b@d59.test", Outcome.FAILED, Reason.ofText("no"), 0);

        Figures counted = count();

        assertThat(counted.domains()).hasSize(50);
        assertThat(counted.domains().get(0))
                .isEqualTo(new Figures.DomainCounts("d59.test", new OutcomeCounts(1, 1, 0, 0)));
        assertThat(counted.otherDomains()).isEqualTo(new OutcomeCounts(10, 0, 0, 0));
    }

    @Test
    void theRateHasNoGapsAndDoesNotCountSkippedRecipients() {
        record(0, "a@a.test", Outcome.SENT, Reason.NONE, 0);
        record(0, "b@a.test", Outcome.SENT, Reason.NONE, 185);
        record(1, "c@a.test", Outcome.UNKNOWN, Reason.of(ReasonCode.SENDER_STOPPED), 185);
        record(1, "d@a.test", Outcome.SKIPPED, Reason.of(ReasonCode.UNPREPARED, "x"), 90_000);

        assertThat(count().rate()).isEqualTo(new Figures.Rate(begin, Duration.ofMinutes(1), List.of(1L, 0L, 0L, 2L)));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 700})
    void aLimitOfSevenAMinuteNeverShowsAsMore(int minutes) {
        for (int i = 0; i < 7 * minutes; i++) {
            record(i % 2, "a" + i + "@a.test", Outcome.SENT, Reason.NONE, i / 7 * 60L);
        }
        Figures.Rate rate = count().rate();

        assertThat(rate.emails()).hasSizeGreaterThan(3).allSatisfy(emails -> assertThat(
                        emails * 60.0 / rate.step().toSeconds())
                .isLessThanOrEqualTo(7));
    }

    @Test
    void aLongTimeHasLongerStepsAndMissesNobody() {
        for (int i = 0; i < 400; i++) {
            record(i % 2, "a" + i + "@a.test", Outcome.SENT, Reason.NONE, i * 977L);
        }
        Figures.Rate rate = count().rate();

        assertThat(rate.emails()).hasSizeBetween(55, 121);
        assertThat(rate.emails().stream().mapToLong(Long::longValue).sum()).isEqualTo(400);
    }

    @Test
    void hundredsOfReasonsFitAndTheRareOnesAreSummed() {
        for (int i = 0; i < 120; i++) {
            record(i % 2, "a" + i + "@a.test", Outcome.FAILED, Reason.ofText("because " + "x".repeat(i + 1)), 0);
        }
        Figures counted = count();

        assertThat(counted.reasons()).hasSize(40);
        assertThat(counted.otherReasons()).isEqualTo(80);
    }

    @Test
    void aReasonInAnotherLanguageIsReadBackUnchanged() {
        record(0, "a@a.test", Outcome.FAILED, Reason.ofText("first line\nsecond | line\\ with 9|8 … \t and"), 0);
        record(0, "b@a.test", Outcome.FAILED, Reason.NONE, 0);

        assertThat(count().reasons())
                .extracting(one -> one.reason().words())
                .containsExactlyInAnyOrder("first line second | line\\ with 9|8 … \t and", "");
    }

    @Test
    void aCountThatBeganEarlierDoesNotReplaceALaterOne() {
        record(0, "a@a.test", Outcome.SENT, Reason.NONE, 0);
        Figures early = count();
        time.advance(Duration.ofMinutes(1));
        record(0, "b@a.test", Outcome.SENT, Reason.NONE, 0);
        Figures late = count();

        figures.put(REF, early);

        assertThat(figures.find(REF)).contains(late);
        assertThat(late.outcomes().sent()).isEqualTo(2);
    }

    @Test
    void aRecipientWithAnOutcomeCostsAThousandthOfACall() {
        for (int i = 0; i < 3000; i++) {
            record(i % 2, "a" + i + "@a.test", Outcome.SENT, Reason.NONE, i);
        }
        insertMessage();
        wanted.request(REF);
        simulated.resetCounters();

        counter(simulated).run();

        assertThat(simulated.calls(Call.Kind.QUERY)).isLessThanOrEqualTo(5);
        assertThat(simulated.calls()).isLessThan(15);
        simulated.resetCounters();
        assertThat(figures.find(REF)).isPresent();
        assertThat(simulated.calls()).isEqualTo(1);
    }

    @Test
    void aMessageBeingSentIsCountedAgainOnceItHasAQuarterMoreOutcomes() {
        for (long outcomes = 1; outcomes <= 1_000_000; outcomes += outcomes < 1000 ? 1 : 1000) {
            wanted.requestIfGrown(REF, outcomes);
            wanted.all().forEach(wanted::done);
        }
        assertThat(simulated.calls(Call.Kind.WRITE)).isLessThan(2 * 60);
    }

    @Test
    void aRequestDuringTheCountIsNotForgotten() {
        wanted.request(REF);
        var read = wanted.all().get(0);
        wanted.request(REF);

        wanted.done(read);

        assertThat(wanted.all()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void afterACountThatBreaksOffAnywhereTheNextOneIsExact(Faults.Mode mode) {
        for (int i = 0; i < 5; i++) {
            record(i % 2, "a" + i + "@a.test", i < 2 ? Outcome.FAILED : Outcome.SENT, Reason.ofText("no"), i * 20L);
        }
        insertMessage();
        wanted.request(REF);
        long calls = callsOfARun();
        for (long at = 1; at <= calls; at++) {
            time.advance(Duration.ofSeconds(1));
            wanted.request(REF);
            Faults faults = new Faults(mode, at, () -> {});
            quietly(() -> counter(faults.around(simulated.storage()).tables()));

            counter(simulated).run();

            Figures counted = figures.find(REF).orElseThrow();
            assertThat(counted.outcomes()).as("call " + at).isEqualTo(new OutcomeCounts(3, 2, 0, 0));
            assertThat(counted.reasons().get(0).recipients()).isEqualTo(2);
            assertThat(counted.domains().get(0).counts().sum()).isEqualTo(5);
            assertThat(wanted.all()).isEmpty();
        }
    }

    @Test
    void theFiguresOfAMessageOutliveItsOutcomes() {
        MessageStore messages = new MessageStore(simulated.tables());
        Versioned<Message> sent = messages.insert(message(), begin).orElseThrow();
        record(0, "ann@a.test", Outcome.SENT, Reason.NONE, 0);
        Figures counted = count();
        Message ended = sent.value().become(MessageStatus.COMPLETED);
        messages.archive(new Versioned<>(ended, sent.etag()));
        messages.changeArchived(ended.datePartition(), REF, archived -> archived.retired(time.instant()));
        new DeliveryStore(simulated.tables(), DeliveryLimits.SHARED, nonce -> false)
                .removeOutcomes(new ShardKey(REF, 0), 100);
        time.advance(Duration.ofSeconds(1));

        wanted.request(REF);
        counter(simulated).run();

        assertThat(figures.find(REF)).contains(counted);
        assertThat(wanted.all()).isEmpty();
    }

    private long callsOfARun() {
        Faults counting = Faults.none();
        counter(counting.around(simulated.storage()).tables()).run();
        return counting.calls();
    }

    private static void quietly(Supplier<FigureCount> broken) {
        try {
            broken.get().run();
        } catch (StorageException | ProcessDied expected) {
            assertThat(expected).isNotNull();
        }
    }

    private Figures count() {
        insertMessage();
        wanted.request(REF);
        counter(simulated).run();
        assertThat(wanted.all()).isEmpty();
        return figures.find(REF).orElseThrow();
    }

    private FigureCount counter(SimulatedStorage storage) {
        return counter(storage.tables());
    }

    private FigureCount counter(org.azuremail.storage.TableStore tables) {
        return new FigureCount(
                new FigureRequests(tables, Signals.NONE, time),
                new MessageStore(tables),
                new DeliveryStore(tables, DeliveryLimits.SHARED, nonce -> false),
                new FigureStore(tables),
                time);
    }

    private void insertMessage() {
        MessageStore messages = new MessageStore(simulated.tables());
        if (messages.find(REF).isEmpty()) {
            messages.insert(message(), time.instant());
        }
    }

    private Message message() {
        return new Message(
                REF,
                new Message.Created(begin, "ann@example.org"),
                Audience.of(new ListName("news")),
                2,
                new Message.Content("News", 0, null),
                new Schedule(begin, ZoneOffset.UTC),
                OnUnknown.HOLD,
                null,
                new MessageState(MessageStatus.PROCESSING, false, Reason.NONE, false, 0, null, Restoration.NONE, false),
                Message.Result.of(Reason.NONE, 0, OutcomeCounts.NONE, null));
    }

    private void record(int shard, String address, Outcome outcome, Reason reason, long seconds) {
        DeliveryStore deliveries = new DeliveryStore(simulated.tables(), DeliveryLimits.SHARED, nonce -> false);
        Recipient recipient = new Recipient(
                new ListName("news"),
                new EmailAddress(address),
                "",
                new SubscriberGuid("0." + "0".repeat(22)),
                Map.of(),
                0,
                0,
                Range.Delay.NONE);
        Write.Insert row =
                (Write.Insert) deliveries.emailRow(recipient, message(), "news@example.org", Optional.empty());
        RecordedOutcome one = new RecordedOutcome(
                row.rowKey(), outcome, 0, begin.plusSeconds(seconds), reason.stored(), row.values());
        new OutcomeArchive(simulated.tables(), DeliveryLimits.SHARED).record(new ShardKey(REF, shard), List.of(one));
    }
}
