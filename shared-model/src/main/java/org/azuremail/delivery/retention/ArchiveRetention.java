package org.azuremail.delivery.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.blobset.BlobSet;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.blobset.CountingJob;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.time.Time;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * Removes the outcomes of single recipients long after the end of their message; its sums stay. The message is marked
 * first, and from then on it cannot be reopened. Its rows are removed in a later run: by then, any process that read
 * the message before the mark has reopened it, so that it is no longer final. Repeatable at every step.
 */
record ArchiveRetention(MessageStore messages, DeliveryStore deliveries, Time time)
        implements CountingJob<ArchiveRetention.ExpiredMessage> {

    static final String NAME = "archive-retention";

    /** The instant before which the messages have ended. */
    static final String BEFORE = "before";

    /** Longer than a reopening takes from its first read to its first write. */
    private static final Duration SETTLED = Duration.ofDays(1);

    private static final int ROWS_OF_A_STEP = 10_000;

    record ExpiredMessage(long ref, String date) {

        MessageRef message() {
            return new MessageRef(ref);
        }
    }

    /** Starts a run if outcomes have to be removed. */
    void begin(SetJobs jobs, Duration keep) {
        Instant before = time.instant().minus(keep);
        try (Stream<Message> old = old(before)) {
            if (old.findAny().isPresent()) {
                jobs.start(jobs.newId(), NAME, Map.of(BEFORE, before.toString()), "");
            }
        }
    }

    private Stream<Message> old(Instant before) {
        return messages.sentBefore(before)
                .filter(message -> message.status().ended() && message.result().removedAt() == null)
                .filter(message ->
                        message.completedAt() != null && message.completedAt().isBefore(before));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public TextCodec<ExpiredMessage> values() {
        return TextCodec.json(ExpiredMessage.class);
    }

    @Override
    public int pieceSize() {
        return 1;
    }

    @Override
    public void fill(BlobSet<ExpiredMessage> set, Map<String, String> about) {
        Instant before = Instant.parse(about.getOrDefault(BEFORE, Instant.EPOCH.toString()));
        try (Stream<Message> old = old(before)) {
            old.forEach(message -> set.put(
                    message.ref().padded(), new ExpiredMessage(message.ref().value(), message.datePartition())));
        }
    }

    @Override
    public Step<Long> work(SetJob.Piece piece, List<Element<ExpiredMessage>> values, @Nullable Long soFar) {
        ExpiredMessage old = values.get(0).value();
        long removed = soFar == null ? 0 : soFar;
        Optional<Message> message = messages.findArchived(old.date(), old.message());
        if (message.isEmpty() || messages.findActive(old.message()).isPresent()) {
            return Step.last(removed, 0);
        }
        Instant retiredAt = message.get().result().retiredAt();
        Instant now = time.instant();
        if (retiredAt == null) {
            messages.changeArchived(old.date(), old.message(), archived -> archived.retired(now));
        }
        return retiredAt == null || retiredAt.plus(SETTLED).isAfter(now)
                ? Step.last(removed, 0)
                : remove(old, message.get(), piece.next(), removed);
    }

    private Step<Long> remove(ExpiredMessage old, Message message, @Nullable String next, long before) {
        int shard = next == null ? 0 : Integer.parseInt(next);
        int removed = deliveries.removeOutcomes(new ShardKey(message.ref(), shard), ROWS_OF_A_STEP);
        int following = removed < ROWS_OF_A_STEP ? shard + 1 : shard;
        if (following < message.shards()) {
            return new Step<>(before + removed, Integer.toString(following), removed);
        }
        messages.changeArchived(old.date(), old.message(), archived -> archived.rowsRemoved(time.instant()));
        return Step.last(before + removed, removed);
    }
}
