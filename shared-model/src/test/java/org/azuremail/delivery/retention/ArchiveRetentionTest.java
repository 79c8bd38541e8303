package org.azuremail.delivery.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.id.SeededIds;
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
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that old outcomes are deleted and the sums of their messages remain. */
class ArchiveRetentionTest {

    private static final Duration KEEP = Duration.ofDays(365);
    private static final int SHARDS = 2;
    private static final int A_SHARD = 130;

    private ManualTime time;
    private SimulatedStorage storage;
    private long seed;

    /** Runs the weekly service of one process to its end. */
    private void run(Storage itsStorage) {
        ArchiveRetention retention = new ArchiveRetention(
                new MessageStore(itsStorage.tables()),
                new DeliveryStore(itsStorage.tables(), DeliveryLimits.SHARED, nonce -> false),
                time);
        List<SetJob<?, ?>> functions = List.of(retention);
        InlineJobs process = new InlineJobs(itsStorage, time, new SeededIds(++seed), () -> functions);
        retention.begin(process.jobs(), KEEP);
        process.jobs().latest(10, null).items().stream()
                .filter(job -> !job.state().over())
                .map(SetJobs.Status::id)
                .toList()
                .forEach(process::finish);
    }

    private void givenAStorage() {
        time = new ManualTime();
        storage = new SimulatedStorage(time);
    }

    /** Returns a message to 260 recipients that was due and completed now. */
    private Message ended(long ref) {
        return ended(ref, time.instant());
    }

    private Message ended(long ref, Instant begin) {
        MessageStore messages = new MessageStore(storage.tables());
        Message message = new Message(
                new MessageRef(ref),
                new Message.Created(begin, "ann@example.org"),
                Audience.of(new ListName("news")),
                SHARDS,
                new Message.Content("News", 0, null),
                new Schedule(begin, ZoneOffset.UTC),
                OnUnknown.HOLD,
                null,
                new MessageState(MessageStatus.PROCESSING, false, Reason.NONE, false, 0, null, Restoration.NONE, false),
                Message.Result.of(Reason.NONE, 0, OutcomeCounts.NONE, null));
        Versioned<Message> inserted = messages.insert(message, begin).orElseThrow();
        OutcomeCounts counts = OutcomeCounts.NONE;
        for (int n = 0; n < SHARDS * A_SHARD; n++) {
            record(message, n % SHARDS, "p" + n + "@example.org");
            counts = counts.plus(Outcome.SENT);
        }
        messages.archive(new Versioned<>(
                message.counted(SHARDS * A_SHARD, counts, time.instant()).become(MessageStatus.COMPLETED),
                inserted.etag()));
        return current(ref);
    }

    private void record(Message message, int shard, String address) {
        DeliveryStore deliveries = new DeliveryStore(storage.tables(), DeliveryLimits.SHARED, nonce -> false);
        Recipient recipient = new Recipient(
                message.list(),
                new EmailAddress(address),
                "",
                new SubscriberGuid("0." + "0".repeat(22)),
                Map.of(),
                0,
                0,
                Range.Delay.NONE);
        Write.Insert row = (Write.Insert) deliveries.emailRow(recipient, message, "news@example.org", Optional.empty());
        RecordedOutcome one = new RecordedOutcome(row.rowKey(), Outcome.SENT, 0, time.instant(), "", row.values());
        new OutcomeArchive(storage.tables(), DeliveryLimits.SHARED)
                .record(new ShardKey(message.ref(), shard), List.of(one));
    }

    private Message current(long ref) {
        return new MessageStore(storage.tables()).find(new MessageRef(ref)).orElseThrow();
    }

    private int rows(long ref) {
        DeliveryStore deliveries = new DeliveryStore(storage.tables(), DeliveryLimits.SHARED, nonce -> false);
        int rows = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            rows += deliveries
                    .outcomes(new ShardKey(new MessageRef(ref), shard), 1000, null)
                    .items()
                    .size();
        }
        return rows;
    }

    @Test
    void aStepRemovesAsManyAsAskedAndSaysWhetherMoreAreLeft() {
        SimulatedStorage some = new SimulatedStorage(new ManualTime());
        ShardKey shard = new ShardKey(new MessageRef(1), 0);
        some.tables().createTable(MessageStore.ARCHIVE);
        for (int i = 0; i < 250; i++) {
            Write row = Write.insert("email:p%03d@example.org".formatted(i), Values.none());
            some.tables().write(MessageStore.ARCHIVE, shard.partition(), row);
        }
        DeliveryStore deliveries = new DeliveryStore(some.tables(), DeliveryLimits.SHARED, nonce -> false);

        assertThat(deliveries.removeOutcomes(shard, 200)).isEqualTo(200);
        assertThat(deliveries.removeOutcomes(shard, 200)).isEqualTo(50);
        assertThat(deliveries.removeOutcomes(shard, 200)).isZero();
    }

    @Test
    void limitation11_oldOutcomesGoInTheRunAfterTheMarkAndTheSumsStay() {
        givenAStorage();
        Message old = ended(1);
        time.advance(Duration.ofDays(300));
        ended(2);
        run(storage.storage());
        assertThat(current(1)).as("nothing is old").isEqualTo(old);

        time.advance(Duration.ofDays(70));
        run(storage.storage());
        Instant markedAt = current(1).result().retiredAt();
        assertThat(markedAt).isNotNull();
        assertThat(rows(1)).as("somebody may be reopening it").isEqualTo(SHARDS * A_SHARD);
        run(storage.storage());
        assertThat(rows(1)).as("still").isEqualTo(SHARDS * A_SHARD);

        time.advance(Duration.ofDays(7));
        run(storage.storage());

        assertThat(rows(1)).isZero();
        assertThat(rows(2)).isEqualTo(SHARDS * A_SHARD);
        assertThat(current(2).retired()).isFalse();
        Message now = current(1);
        assertThat(now.result().counts()).isEqualTo(old.result().counts());
        assertThat(now.result().recipients()).isEqualTo(SHARDS * A_SHARD);
        assertThat(now.result().retiredAt()).isEqualTo(markedAt);
        assertThat(now.result().removedAt()).isNotNull();
        new MessageStore(storage.tables()).recountEnded(now.ref(), message -> OutcomeCounts.NONE);
        assertThat(current(1)).as("sums are final").isEqualTo(now);
        int jobs = jobs();
        run(storage.storage());
        assertThat(jobs()).as("nothing is left: no job").isEqualTo(jobs);
    }

    @Test
    void limitation11_theAgeOfOutcomesCountsFromTheCompletionNotFromTheDueInstant() {
        givenAStorage();
        ended(1, time.instant().minus(KEEP.plusDays(30)));

        run(storage.storage());

        assertThat(current(1).retired()).isFalse();
        assertThat(jobs()).isZero();
    }

    private int jobs() {
        InlineJobs process = new InlineJobs(storage.storage(), time, new SeededIds(99), List::of);
        return process.jobs().latest(100, null).items().size();
    }

    @Test
    void limitation11_aMessageThatIsUnderWayAgainKeepsItsOutcomes() {
        givenAStorage();
        Message old = ended(1);
        time.advance(KEEP.plusDays(1));
        run(storage.storage());
        time.advance(Duration.ofDays(7));
        Message reopened = old.become(MessageStatus.PROCESSING);
        new MessageStore(storage.tables()).reactivate(reopened, time.instant());

        run(storage.storage());

        assertThat(rows(1)).isEqualTo(SHARDS * A_SHARD);
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void limitation11_aRunThatStopsAtAnyCallIsFinishedByAnother(Faults.Mode mode) {
        givenAStorage();
        Message old = ended(1);
        time.advance(KEEP.plusDays(1));
        run(storage.storage());
        time.advance(Duration.ofDays(7));
        SimulatedStorage marked = storage;
        boolean happened = true;
        for (long at = 1; happened; at += 5) {
            storage = marked.copy();
            Faults faults = new Faults(mode, at, () -> {});
            try {
                run(faults.around(storage.storage()));
            } catch (ProcessDied | StorageException expected) {
                // Another process continues.
            }
            happened = faults.calls() >= at;

            run(storage.storage());

            String where = mode + " at call " + at;
            assertThat(rows(1)).as(where).isZero();
            assertThat(current(1).result().counts())
                    .as(where)
                    .isEqualTo(old.result().counts());
            assertThat(current(1).result().removedAt()).as(where).isNotNull();
        }
    }
}
