package org.azuremail.work.queue;

import java.util.function.Function;
import org.azuremail.storage.StorageLimits;

/**
 * The definition that producers and consumers of one kind of work share: its queue, and how an item becomes text and
 * back. Declare one bean of it beside the item's class. A producer then needs nothing but the item, even if its process
 * does not run the service.
 *
 * @param queue the queue on which the items wait; created if it does not exist
 * @param type the class of the items
 * @param writer writes an item's text, of any size that fits into memory; a large text is stored in a blob
 * @param reader reads the text; if it throws, the item becomes a dead letter
 * @param together the suggested number of items that {@link WorkQueues#putAll} puts into one batch, which one handler
 *     takes: smaller batches let more handlers share the work, larger ones cost fewer calls
 * @param <T> the type of the items
 */
public record ItemType<T>(
        String queue, Class<T> type, Function<T, String> writer, Function<String, T> reader, int together) {

    private static final int MAX_NAME = 63;

    public ItemType {
        StorageLimits.requireQueue(queue);
        if (together < 1 || together > Batches.MAX_ITEMS) {
            throw new IllegalArgumentException("1 to " + Batches.MAX_ITEMS + " items travel together: " + together);
        }
    }

    /** Creates a type whose batches have as many items as fit. */
    public ItemType(String queue, Class<T> type, Function<T, String> writer, Function<String, T> reader) {
        this(queue, type, writer, reader, Batches.MAX_ITEMS);
    }

    /** Returns a copy with another suggested number of items in a batch. */
    public ItemType<T> together(int items) {
        return new ItemType<>(queue, type, writer, reader, items);
    }

    /** Returns a type for items as JSON on a queue that is named after their class. */
    public static <T> ItemType<T> of(Class<T> type) {
        return json(queueNameOf(type), type);
    }

    /** Returns a type for items as JSON on a queue with this name. */
    public static <T> ItemType<T> json(String queue, Class<T> type) {
        TextCodec<T> json = TextCodec.json(type);
        return new ItemType<>(queue, type, json.writer(), json.reader());
    }

    public ItemType<T> on(String otherQueue) {
        return new ItemType<>(otherQueue, type, writer, reader, together);
    }

    public String write(T item) {
        return writer.apply(item);
    }

    /**
     * Returns the item of a text.
     *
     * @throws RuntimeException if it cannot be read
     */
    public T read(String text) {
        return reader.apply(text);
    }

    /** Returns the class's full name in lower case with dashes. Only the end of a long name is used. */
    private static String queueNameOf(Class<?> type) {
        String name = type.getName().toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String end = name.length() <= MAX_NAME ? name : name.substring(name.length() - MAX_NAME);
        return end.startsWith("-") ? end.substring(1) : end;
    }
}
