package org.azuremail.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Lock;
import org.azuremail.work.lease.Locks;
import org.azuremail.work.queue.ItemType;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs that ask all unconfirmed people of a list once more to confirm. Safe for use from many threads and
 * processes; every call may throw a {@link org.azuremail.storage.StorageException}.
 */
public final class ConfirmationReminders {

    public static final String JOB = ConfirmationReminderJob.NAME;

    private static final String ASKED_AT = "askedAt";
    private static final String BY = "by";
    private static final String PARTITION = "asked-again";
    private static final int LATEST_JOBS = 100;

    /** A time that two reads and a write never exceed in practice. */
    private static final Duration TO_START = Duration.ofMinutes(1);

    private final SetJobs jobs;
    private final Locks locks;
    private final Table table;
    private final Time time;

    public ConfirmationReminders(SetJobs jobs, Locks locks, Storage storage, Time time) {
        this.jobs = jobs;
        this.locks = locks;
        this.table = new Table(storage.tables(), "work");
        this.time = time;
    }

    /** The latest request to ask all unconfirmed people of a list. */
    public record LastReminder(Instant at, String by) {}

    /** The result of a request to ask all unconfirmed people. */
    public sealed interface ReminderResult {

        /** The job runs. Repeated calls with one id get the same job. */
        record Started(SetJobs.Status job) implements ReminderResult {}

        record AlreadyAsking() implements ReminderResult {}

        /**
         * No job was started, because another call is starting one at this moment, or a process stopped while it did
         * so. A call that is repeated some minutes later gets another answer.
         */
        record NotNow() implements ReminderResult {}
    }

    /**
     * Starts the job. Of several simultaneous calls, only one starts a job; repeating a call changes nothing.
     *
     * @param id an id from {@link SetJobs#newId}
     * @param unconfirmed the number of unconfirmed people, for the progress
     */
    public ReminderResult start(String id, MailingList list, long unconfirmed, String by) {
        try {
            Optional<Lock> lock = locks.acquire(PARTITION + "." + list.name(), TO_START, Duration.ZERO);
            if (lock.isPresent()) {
                try (Lock held = lock.get()) {
                    return startLocked(held, id, list, unconfirmed, by);
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return running(list.name())
                .<ReminderResult>map(job ->
                        job.id().equals(id) ? new ReminderResult.Started(job) : new ReminderResult.AlreadyAsking())
                .orElseGet(ReminderResult.NotNow::new);
    }

    private ReminderResult startLocked(Lock held, String id, MailingList list, long unconfirmed, String by) {
        if (running(list.name()).filter(job -> !job.id().equals(id)).isPresent()) {
            return new ReminderResult.AlreadyAsking();
        }
        if (!held.held()) {
            return new ReminderResult.NotNow();
        }
        Map<String, String> about = Map.ofEntries(
                Map.entry(SetJobs.LIST, list.name().value()),
                Map.entry(SetJobs.PEOPLE, String.valueOf(unconfirmed)),
                Map.entry(ASKED_AT, time.instant().toString()),
                Map.entry(BY, by));
        return new ReminderResult.Started(jobs.mapToQueue(id, JOB, about, by, lastItem(list.name(), about)));
    }

    private Optional<SetJobs.Status> running(ListName list) {
        return jobs.latest(LATEST_JOBS, null).items().stream()
                .filter(job -> job.function().equals(JOB)
                        && !job.state().over()
                        && list.value().equals(job.about().get(SetJobs.LIST)))
                .findFirst();
    }

    /** Returns the item that follows all others of a job. */
    static ConfirmationReminderItem lastItem(ListName list, Map<String, String> about) {
        return new ConfirmationReminderItem(
                list, null, Instant.parse(Objects.requireNonNull(about.get(ASKED_AT))), about.getOrDefault(BY, ""));
    }

    /** Records that all items of a job are queued. */
    public void record(ConfirmationReminderItem last) {
        Values values = Values.builder()
                .put("AskedAt", last.askedAt())
                .put("By", last.by())
                .build();
        table.write(PARTITION, Write.upsert(last.list().value(), values));
    }

    /** Returns the latest request to ask the people of the list, if it is known. */
    public Optional<LastReminder> last(MailingList list) {
        return table.get(PARTITION, list.name().value())
                .map(row -> new LastReminder(
                        row.values().requireInstant("AskedAt"), row.values().string("By", "")))
                .filter(asked -> asked.at().isAfter(list.createdAt()));
    }

    /**
     * A work item to ask an unconfirmed subscriber again. Items of one job travel in batches.
     *
     * @param guid the subscriber; {@code null} for the item that follows all others of a job
     * @param askedAt the time of the admin's request; subscribers who were asked since then are not asked again
     */
    public record ConfirmationReminderItem(
            ListName list, @Nullable SubscriberGuid guid, Instant askedAt, String by) {

        /** The number of items in a batch: some seconds' worth of emails, so that several processes share a job. */
        private static final int BATCH_SIZE = 50;

        public static final ItemType<ConfirmationReminderItem> TYPE = ItemType.json(
                        "azuremailaskqueue", ConfirmationReminderItem.class)
                .together(BATCH_SIZE);
    }
}
