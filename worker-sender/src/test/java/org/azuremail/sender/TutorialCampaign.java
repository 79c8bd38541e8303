package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Key;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.SimulatedStorage;

/**
 * Source 003's own design: all emails of a day in one partition, with one row and one work item for each email. Worker
 * A inserts the rows in batches and queues an item for each. Worker B takes an item, reads the row, sends the email,
 * writes the archive, and deletes the row and then the item. Here, sending takes no time, and there are more workers
 * than the tutorial allows: as many as the partition can serve.
 */
final class TutorialCampaign {

    private static final String DATE = "2012-12-01";
    private static final String QUEUE = "azuremailqueue";
    private static final int WORKERS_A = 16;
    private static final int WORKERS_B = 64;
    private static final Values ROW = Values.of("EmailSent", false);

    private final int mails;
    private final Clockwork clock = new Clockwork();
    private final SimulatedAccount account;
    private final Storage storage;
    private int sent;

    private TutorialCampaign(int mails, AccountLimits limits) {
        this.mails = mails;
        account = new SimulatedAccount(clock, limits, 7);
        storage = account.around(SimulatedStorage.forMillions(clock).storage());
        storage.tables().createTable(MessageStore.MESSAGE);
        storage.tables().createTable(MessageStore.ARCHIVE);
        storage.queues().createQueue(QUEUE);
    }

    /** The result of a campaign. */
    record Result(int mails, int sent, Duration took, SimulatedAccount account) {
        String line() {
            return "%,d mails as the tutorial sends them: %d:%02d min, %,d mails/s, %.2f calls a mail"
                    .formatted(
                            mails,
                            took.toMinutes(),
                            took.toSecondsPart(),
                            mails * 1000L / took.toMillis(),
                            (double) account.calls() / mails);
        }
    }

    static Result run(int mails, AccountLimits limits) throws InterruptedException {
        return new TutorialCampaign(mails, limits).run();
    }

    private Result run() throws InterruptedException {
        for (int worker = 0; worker < WORKERS_A; worker++) {
            int first = worker * TableStore.MAX_BATCH;
            clock.add(() -> queueFrom(first));
        }
        for (int worker = 0; worker < WORKERS_B; worker++) {
            clock.add(this::mailAll);
        }
        clock.run();
        return new Result(mails, sent, clock.elapsed(), account);
    }

    private void queueFrom(int begin) {
        for (int from = begin; from < mails; from += WORKERS_A * TableStore.MAX_BATCH) {
            int first = from;
            List<Write> rows = new ArrayList<>();
            for (int i = from; i < Math.min(mails, from + TableStore.MAX_BATCH); i++) {
                rows.add(Write.insert("u" + i, ROW));
            }
            untilDone(() -> storage.tables().write(MessageStore.MESSAGE, DATE, rows));
            for (int i = 0; i < rows.size(); i++) {
                String row = "u" + (first + i);
                untilDone(() -> storage.queues().send(QUEUE, row));
            }
        }
    }

    private void mailAll() {
        while (sent < mails) {
            List<QueueItem> items = receive();
            if (items.isEmpty()) {
                clock.sleep(Duration.ofSeconds(1));
            }
            items.forEach(this::mail);
        }
    }

    private List<QueueItem> receive() {
        List<QueueItem> items = new ArrayList<>();
        untilDone(() -> items.addAll(storage.queues().receive(QUEUE, 32, Duration.ofMinutes(5))));
        return items;
    }

    private void mail(QueueItem item) {
        Key key = new Key(DATE, item.text());
        List<Row> row = new ArrayList<>();
        untilDone(() -> storage.tables().get(MessageStore.MESSAGE, key).ifPresent(row::add));
        untilDone(() -> storage.tables().write(MessageStore.ARCHIVE, DATE, Write.upsert(item.text(), ROW)));
        untilDone(() -> storage.tables().write(MessageStore.MESSAGE, DATE, Write.delete(row.get(0))));
        untilDone(() -> storage.queues().delete(QUEUE, item));
        sent++;
    }

    private static void untilDone(Runnable call) {
        while (true) {
            try {
                call.run();
                return;
            } catch (StorageException throttled) {
                continue;
            }
        }
    }
}
