package org.azuremail.sender;

import java.time.Duration;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;

/** A service that handles one item at a time. A process with several places has several of these services. */
class OnePlace<T> implements QueueService<T> {

    private final QueueService<T> service;

    OnePlace(QueueService<T> service) {
        this.service = service;
    }

    @Override
    public ItemType<T> itemType() {
        return service.itemType();
    }

    @Override
    public WorkResult handle(T item, Delivery delivery) throws Exception {
        return service.handle(item, delivery);
    }

    @Override
    public Duration visibility() {
        return service.visibility();
    }

    @Override
    public int concurrency() {
        return 1;
    }

    @Override
    public String pool() {
        return service.pool();
    }

    @Override
    public int rank() {
        return service.rank();
    }

    @Override
    public Duration ageing() {
        return service.ageing();
    }

    @Override
    public boolean deadLetters() {
        return service.deadLetters();
    }
}
