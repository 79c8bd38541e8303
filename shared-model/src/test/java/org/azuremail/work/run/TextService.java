package org.azuremail.work.run;

import java.util.function.Function;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;

/** Handles items of any queue that consist of text only. */
record TextService(String queue, Function<String, WorkResult> handler) implements QueueService<String> {

    @Override
    public ItemType<String> itemType() {
        return new ItemType<>(queue, String.class, text -> text, text -> text);
    }

    @Override
    public WorkResult handle(String text, Delivery delivery) {
        return handler.apply(text);
    }
}
