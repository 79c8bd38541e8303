package org.azuremail.work.run;

import java.util.List;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.work.service.QueueService;

/**
 * One queue of the storage that a runner takes items from; what it takes there it renews and deletes there.
 *
 * @param service handles the items
 * @param queue the partition's own name
 */
record Source(QueueService<?> service, String queue) {

    List<QueueItem> receive(QueueStore queues, int max) {
        return queues.receive(queue, max, service.visibility());
    }

    /** The product's name for it, partitions or not. */
    String name() {
        return service.itemType().queue();
    }
}
