package org.azuremail.delivery.reopen;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.greeting.Greetings;
import org.azuremail.id.CompactIds;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.Restoration;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Handles a restored backup before any worker of this process starts, because it is unknown who was emailed since the
 * backup was made. Every message that is not final is paused, with the reason. Every range that is not done counts as a
 * lapsed hand-over, including ranges still to be written for a message that was, or may have been, fanned out since.
 * Greetings skip the days that have passed. Numbers that were assigned since are not assigned again.
 *
 * <p>Repeatable at every step: after an interruption the next start continues, and rows that carry the restore's epoch
 * are skipped. So several processes may do it at once, and a late one undoes nothing: as long as an active message of
 * the backup does not carry the epoch, no process has finished, and none lets a worker run before it has. (A message
 * that was final and is reopened at that moment may be paused once more; then an admin has to resume it.)
 */
public record RestoreGuard(
        RestoredBackup restored,
        Storage storage,
        CompactIds ids,
        MessageStore messages,
        DeliveryStore deliveries,
        Greetings greetings,
        Time time)
        implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(RestoreGuard.class);

    /** The gap in the numbers, so that no number assigned since the backup is assigned again. */
    private static final long GAP = 1_000_000;

    @Override
    public void afterSingletonsInstantiated() {
        restored.madeAt().ifPresent(this::applyRestore);
    }

    private void applyRestore(Instant madeAt) {
        RestoreRecord record = open(madeAt);
        if (!record.finished()) {
            ids.skipTo("message", record.messagesBelow());
            ids.skipTo("revision", record.revisionsBelow());
            greetings.skipDaysBefore(record.noticedAt());
            for (ActiveEntry entry : messages.unfinished()) {
                if (entry.ref().value() < record.messagesBelow()) {
                    applyRestore(entry, record);
                }
            }
            finish(record);
        }
        restored.markHandled();
    }

    /**
     * Returns the record of the restore from the backup of this instant: the existing one, or a new one with the next
     * epoch. It does not matter which process notices a restore first, nor how often the next steps are interrupted:
     * processes that start on the same restored storage share one epoch.
     */
    private RestoreRecord open(Instant madeAt) {
        storage.tables().createTable(RestoreRecord.TABLE);
        return ConditionalWrites.retry("the epoch of the installation", () -> {
            Optional<Versioned<RestoreRecord>> last = RestoreRecord.last(storage);
            if (last.isPresent() && last.get().value().madeAt().equals(madeAt)) {
                return last.map(Versioned::value);
            }
            RestoreRecord next = new RestoreRecord(
                    last.map(record -> record.value().epoch()).orElse(0) + 1,
                    madeAt,
                    time.instant(),
                    ids.firstUnused("message") + GAP + sinceBackup(madeAt),
                    ids.firstUnused("revision") + GAP,
                    false);
            return ConditionalWrites.put(
                            storage.tables(),
                            RestoreRecord.TABLE,
                            RestoreRecord.KEY,
                            next.toValues(),
                            last,
                            RestoreRecord::from)
                    .done()
                    .map(Versioned::value);
        });
    }

    /**
     * Returns the milliseconds since the backup. A gap that grows with them also passes the numbers that were assigned
     * after an earlier restore of the same backup, which this storage does not know.
     */
    private long sinceBackup(Instant madeAt) {
        return Math.max(0, Duration.between(madeAt, time.instant()).toMillis());
    }

    /** Records that nothing remains to be done; if another process was faster, this changes nothing. */
    private void finish(RestoreRecord record) {
        RestoreRecord.last(storage)
                .filter(now -> now.value().equals(record))
                .ifPresent(now -> ConditionalWrites.replace(
                        storage.tables(),
                        RestoreRecord.TABLE,
                        RestoreRecord.KEY,
                        record.asFinished().toValues(),
                        now.etag(),
                        RestoreRecord::from));
    }

    /**
     * Applies the restore to a message. A message that was being moved is repaired first, because no other step finds
     * it.
     */
    private void applyRestore(ActiveEntry entry, RestoreRecord record) {
        Optional<Versioned<Message>> read = messages.resolve(entry, time.instant());
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
        read.map(Versioned::value).ifPresent(message -> deliveries
                .ranges(message)
                .forEach(range -> deliveries.rewrite(
                        range,
                        now -> now.done() || now.restoreEpoch() >= record.epoch()
                                ? null
                                : now.lapsed(record.epoch()))));
    }

    /**
     * Returns the message after the restore. An ended message stays ended; a message that was not due when the restore
     * was noticed is not in doubt.
     */
    private static Message opened(Message message, RestoreRecord record) {
        boolean pending = message.status() == MessageStatus.PENDING;
        boolean inDoubt = !pending || message.due(record.noticedAt());
        Message known = message.afterRestore(new Restoration(record.epoch(), inDoubt));
        ReasonCode code = inDoubt ? ReasonCode.RESTORED_IN_DOUBT : ReasonCode.RESTORED_NOT_DUE;
        Reason reason = Reason.of(code, record.madeAt().toString());
        return message.status().ended() ? known : known.pausedFor(reason);
    }
}
