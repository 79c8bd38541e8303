package org.azuremail.work.run;

import org.azuremail.work.service.QueueService;

/**
 * A queue of the storage from which a runner takes items. It renews and deletes the items in the same queue.
 *
 * @param service the service that handles the items
 * @param queue the name of the partition
 */
record QueueSource(QueueService<?> service, String queue) {}
