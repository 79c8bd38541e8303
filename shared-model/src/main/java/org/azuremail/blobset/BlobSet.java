package org.azuremail.blobset;

import java.util.Optional;
import java.util.function.Consumer;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Container;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.StorageException;
import org.azuremail.work.queue.TextCodec;

/**
 * A set of values, each in its own blob. Any process can open it by its name. The set has no order and no size limit.
 * Safe for use by many threads and processes. Every call may throw a {@link StorageException} and can then be repeated.
 */
public final class BlobSet<T> {

    static final String CONTAINER = "azuremail-blobsets";

    private final Container blobs;
    private final String prefix;
    private final TextCodec<T> codec;
    private final IdSource ids;

    /** @param name any text of at most about 150 characters */
    BlobSet(BlobStore blobs, String name, TextCodec<T> codec, IdSource ids) {
        this.blobs = new Container(blobs, CONTAINER);
        this.prefix = prefixOf(name);
        this.codec = codec;
        this.ids = ids;
    }

    public record Element<T>(String id, T value) {}

    static String prefixOf(String set) {
        return KeyEscaper.escape(set) + "/";
    }

    /**
     * Adds a value.
     *
     * @return the id of the new element. Repeating the call after an error adds another element
     */
    public String add(T value) {
        String id = ids.token();
        put(id, value);
        return id;
    }

    public void put(String id, T value) {
        blobs.put(name(id), codec.writer().apply(value));
    }

    public Optional<T> get(String id) {
        return blobs.text(name(id)).map(codec.reader());
    }

    /** @return false if the element does not exist */
    public boolean remove(String id) {
        return blobs.delete(name(id)).written();
    }

    /** Removes all elements that exist when this call begins. */
    public void clear() {
        blobs.stream(prefix).forEach(blob -> blobs.delete(blob.name()));
    }

    /** Passes on each element that is in the set throughout this call. Holds one element at a time in memory. */
    public void forEach(Consumer<Element<T>> taker) {
        blobs.stream(prefix).map(blob -> blob.name().substring(prefix.length())).forEach(id -> get(id).ifPresent(
                        value -> taker.accept(new Element<>(id, value))));
    }

    private String name(String id) {
        return prefix + id;
    }
}
