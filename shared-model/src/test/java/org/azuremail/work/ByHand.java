package org.azuremail.work;

import java.util.function.BooleanSupplier;
import org.azuremail.storage.QueueItem;

/** The product's {@link Handling} of one item that a test took off its queue itself. */
public final class ByHand {

    private ByHand() {}

    /** @throws org.azuremail.storage.StorageException when what becomes of the item could not be stored */
    public static <T> void handle(
            WorkRuntime runtime, QueueService<T> service, QueueItem item, BooleanSupplier stopping) {
        String queue = service.itemType().queue();
        HeldItem held = new HeldItem(runtime.storage().queues(), queue, service.visibility(), item, stopping);
        runtime.handling(service, held).handle();
    }
}
