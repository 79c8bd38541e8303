package org.azuremail.blobset;

import java.util.List;
import java.util.function.Supplier;
import org.azuremail.work.queue.ItemType;

/** Turns the item that a job puts after its end into text and back. */
record KnownItems(Supplier<List<ItemType<?>>> types) {

    /** @throws IllegalArgumentException if no item type is declared for the item's class */
    Job.Completion write(Object item) {
        return types.get().stream()
                .filter(type -> type.type().isInstance(item))
                .findFirst()
                .map(type -> written(type, item))
                .orElseThrow(() -> new IllegalArgumentException(
                        "no queue for " + item.getClass().getName() + ": declare an ItemType bean"));
    }

    Object read(Job.Completion kept) {
        return types.get().stream()
                .filter(type -> type.queue().equals(kept.queue()))
                .findFirst()
                .map(type -> (Object) type.read(kept.text()))
                .orElseThrow(() -> new IllegalStateException("no item type for queue " + kept.queue()));
    }

    private static <T> Job.Completion written(ItemType<T> type, Object item) {
        return new Job.Completion(type.queue(), type.write(type.type().cast(item)));
    }
}
