package org.azuremail.work.queue;

import java.util.function.Function;
import org.azuremail.storage.StorageLimits;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The definition that producers and consumers of one kind of work share: its queue and how an item becomes text and back.
 * Declare one bean of it beside the item's class; a producer then needs nothing but the item, whether or not its process runs
 * the service.
 *
 * @param queue where the items wait; made when it does not exist
 * @param type the class of the items
 * @param writer makes an item's text, of any size that fits into memory: a large one travels by a blob
 * @param reader reads it again; throws when it cannot, and the item becomes a dead letter
 * @param together the suggested number of items that {@link WorkQueues#putAll} has travel together, and one handler take at a
 *     time: fewer let more handlers share the work, more cost fewer calls
 * @param <T> what an item says
 */
public record ItemType<T>(
        String queue, Class<T> type, Function<T, String> writer, Function<String, T> reader, int together) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_NAME = 63;

    public ItemType {
        StorageLimits.requireQueue(queue);
        if (together < 1 || together > Batches.MOST_ITEMS) {
            throw new IllegalArgumentException("1 to " + Batches.MOST_ITEMS + " items travel together: " + together);
        }
    }

    /** As many items travel together as fit. */
    public ItemType(String queue, Class<T> type, Function<T, String> writer, Function<String, T> reader) {
        this(queue, type, writer, reader, Batches.MOST_ITEMS);
    }

    /** The same with another suggested number of items that travel together. */
    public ItemType<T> together(int items) {
        return new ItemType<>(queue, type, writer, reader, items);
    }

    /** Items as JSON on a queue that is named after their class. */
    public static <T> ItemType<T> of(Class<T> type) {
        return json(queueNameOf(type), type);
    }

    /** Items as JSON on a queue of this name. */
    public static <T> ItemType<T> json(String queue, Class<T> type) {
        return new ItemType<>(queue, type, JSON::writeValueAsString, text -> fromJson(text, type));
    }

    public ItemType<T> on(String otherQueue) {
        return new ItemType<>(otherQueue, type, writer, reader, together);
    }

    public String write(T item) {
        return writer.apply(item);
    }

    /**
     * The item of a text.
     *
     * @throws RuntimeException when it cannot be read
     */
    public T read(String text) {
        return reader.apply(text);
    }

    /** The class's full name in lower case with dashes; of a long name, its end. */
    private static String queueNameOf(Class<?> type) {
        String name = type.getName().toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String end = name.length() <= MAX_NAME ? name : name.substring(name.length() - MAX_NAME);
        return end.startsWith("-") ? end.substring(1) : end;
    }

    private static <T> T fromJson(String text, Class<T> type) {
        try {
            T item = JSON.readValue(text, type);
            if (item == null) {
                throw new IllegalArgumentException("null is no " + type.getSimpleName());
            }
            return item;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }
}
