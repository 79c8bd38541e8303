package org.azuremail.work.run;

import java.util.List;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.work.service.QueueService;

/**
 * A queue of the storage from which a runner takes items. It renews and deletes the items in the same queue.
 *
 * @param service the service that handles the items
 * @param queue the name of the partition
 */
record QueueSource(QueueService<?> service, String queue) {

    List<QueueItem> receive(QueueStore queues, int max) {
        return queues.receive(queue, max, service.visibility());
    }
}
