package org.azuremail.delivery.reopen;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.id.CompactIds;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.Restoration;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Reckons with a restored backup before any worker of this process starts: who was mailed since it was made is not known.
 * Every message that is not final is paused, with the reason; every range that is not done counts as a hand-over that lapsed,
 * those too that are still to be written for a message that was, or may have been, fanned out since; numbers given since
 * are not given again.
 *
 * <p>Repeatable at every step: when it breaks off, the next start goes on, and what carries the restore's epoch is left
 * alone. So several processes may do it at once, and one that is late undoes nothing: an active message of the backup that
 * does not carry the epoch shows that nobody has finished, and nobody lets a worker run before. (A message that was final
 * and is reopened just then may be paused once more; that costs a press of Resume.)
 */
public class RestoreGuard implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(RestoreGuard.class);

    private final RestoredBackup restored;
    private final RestoreLog log;
    private final MessageStore messages;
    private final DeliveryStore deliveries;
    private final Time time;

    public RestoreGuard(
            RestoredBackup restored,
            Storage storage,
            CompactIds ids,
            MessageStore messages,
            DeliveryStore deliveries,
            Time time) {
        this.restored = restored;
        this.log = new RestoreLog(storage, ids);
        this.messages = messages;
        this.deliveries = deliveries;
        this.time = time;
    }

    @Override
    public void afterSingletonsInstantiated() {
        restored.madeAt().ifPresent(this::reckon);
    }

    private void reckon(Instant madeAt) {
        RestoreRecord record = log.open(madeAt, time.instant());
        if (!record.finished()) {
            log.leaveGaps(record);
            for (ActiveEntry entry : messages.unfinished()) {
                if (entry.ref().value() < record.messagesBelow()) {
                    reckon(entry, record);
                }
            }
            log.finish(record);
        }
        restored.handled();
    }

    /** A message that was being moved is put right first: nobody else sees it. */
    private void reckon(ActiveEntry entry, RestoreRecord record) {
        Optional<Versioned<Message>> read = messages.look(entry, time.instant());
        while (read.isPresent() && read.get().value().state().restored().epoch() < record.epoch()) {
            Saved<Message> saved =
                    messages.replace(read.get(), opened(read.get().value(), record));
            saved.done()
                    .ifPresent(done -> LOG.warn(
                            "message {} is {}: {}",
                            entry.ref(),
                            done.value().paused()
                                    ? "paused"
                                    : done.value().status().stored(),
                            done.value().state().pauseReason()));
            read = messages.findActive(entry.ref());
        }
        read.map(Versioned::value).ifPresent(message -> message.shardNumbers()
                .forEach(shard -> lapseAll(new ShardKey(message.ref(), shard), record.epoch())));
    }

    /** A message that has ended stays so; a date that was still to come when the restore was noticed leaves no doubt. */
    private static Message opened(Message message, RestoreRecord record) {
        boolean pending = message.status() == MessageStatus.PENDING;
        boolean inDoubt = !pending || message.due(record.noticedAt());
        Message known = message.afterRestore(new Restoration(record.epoch(), inDoubt));
        ReasonCode code = inDoubt ? ReasonCode.RESTORED_IN_DOUBT : ReasonCode.RESTORED_NOT_DUE;
        Reason reason = Reason.of(code, record.madeAt().toString());
        return message.status().ended() ? known : known.pausedFor(reason);
    }

    private void lapseAll(ShardKey shard, int epoch) {
        for (Versioned<Range> range : deliveries.controls(shard).ranges()) {
            lapse(range, epoch);
        }
    }

    private void lapse(Versioned<Range> read, int epoch) {
        Optional<Versioned<Range>> current = Optional.of(read);
        while (current.isPresent()
                && !current.get().value().done()
                && current.get().value().restored() < epoch) {
            Range lapsed = current.get().value().lapsed(epoch);
            if (deliveries.replaceRange(current.get(), lapsed) instanceof WriteResult.Written) {
                return;
            }
            current = deliveries.range(read.value().key());
        }
    }
}
