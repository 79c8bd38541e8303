package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.time.Duration;
import org.azuremail.storage.StorageException;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works imports off, each by one process at a time; after a stop or a crash the next delivery goes on. */
record ImportService(ImportRun run, Runnable ended) implements QueueService<ImportItem> {

    private static final Logger log = LoggerFactory.getLogger(ImportService.class);
    private static final int MOST_DELIVERIES = 20;

    @Override
    public ItemType<ImportItem> itemType() {
        return ImportItem.TYPE;
    }

    @Override
    public int concurrency() {
        return 2;
    }

    /** The import itself records the failure that stops it for good. */
    @Override
    public boolean deadLetters() {
        return false;
    }

    @Override
    public WorkResult handle(ImportItem item, Delivery delivery) throws IOException {
        try {
            boolean finished = run.run(item.id(), delivery::stopping);
            if (!finished) {
                return new WorkResult.RetryAfter(Duration.ZERO);
            }
            ended.run();
            return WorkResult.DONE;
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            if (delivery.dequeueCount() < MOST_DELIVERIES) {
                throw e;
            }
            log.error("Import {} is given up.", item.id(), e);
            run.giveUp(item.id());
            ended.run();
            return WorkResult.DONE;
        }
    }
}
