package org.azuremail.work.queue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link ItemType} of an item. The types are loaded at first use, because services may need a producer
 * themselves.
 */
final class ItemTypes {

    private final Supplier<List<ItemType<?>>> known;
    private volatile Map<Class<?>, ItemType<?>> byClass = Map.of();

    ItemTypes(Supplier<List<ItemType<?>>> known) {
        this.known = known;
    }

    /** @throws IllegalArgumentException if no type is declared for the item's class */
    @SuppressWarnings("unchecked")
    <T> ItemType<T> of(T item) {
        if (byClass.isEmpty()) {
            byClass = index(known.get());
        }
        for (Class<?> type = item.getClass(); type != null; type = type.getSuperclass()) {
            ItemType<?> found = find(type);
            if (found != null) {
                return (ItemType<T>) found;
            }
        }
        throw new IllegalArgumentException("no queue for " + item.getClass().getName() + ": declare an ItemType bean");
    }

    private @Nullable ItemType<?> find(Class<?> type) {
        ItemType<?> found = byClass.get(type);
        for (Class<?> sealedParent : type.getInterfaces()) {
            found = found == null ? byClass.get(sealedParent) : found;
        }
        return found;
    }

    private static Map<Class<?>, ItemType<?>> index(List<ItemType<?>> types) {
        Map<Class<?>, ItemType<?>> index = new HashMap<>();
        for (ItemType<?> type : types) {
            ItemType<?> other = index.putIfAbsent(type.type(), type);
            if (other != null && !other.queue().equals(type.queue())) {
                throw new IllegalStateException(
                        type.type().getName() + " has two queues: " + other.queue() + " and " + type.queue());
            }
        }
        return index;
    }
}
