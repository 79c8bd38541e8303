package org.azuremail.subscription.confirmation;

import org.azuremail.list.ListName;
import org.azuremail.storage.StorageException;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.work.queue.WorkQueues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts confirmations on their queue, after they are stored; one that gets lost here is found by its {@code wait:} row. */
public final class ConfirmationQueue {

    private static final Logger log = LoggerFactory.getLogger(ConfirmationQueue.class);

    private final WorkQueues queues;

    public ConfirmationQueue(WorkQueues queues) {
        this.queues = queues;
    }

    public void send(ListName list, SubscriberGuid guid) {
        try {
            queues.put(new ConfirmationItem(guid, list));
        } catch (StorageException e) {
            log.warn("A confirmation of list {} could not be queued; it will be within two minutes.", list, e);
        }
    }
}
