package org.azuremail.blobset;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.StorageException;

/**
 * A set of values, each in its own blob. Any process can open it by its name. It has no order and no limit of size. Safe for use
 * from many threads and processes. Every call may throw a {@link StorageException} and may then be repeated.
 */
public final class BlobSet<T> {

    static final String CONTAINER = "azuremail-blobsets";

    private final BlobStore blobs;
    private final String prefix;
    private final TextForm<T> form;
    private final IdSource ids;
    private volatile boolean created;

    BlobSet(BlobStore blobs, String name, TextForm<T> form, IdSource ids) {
        this.blobs = blobs;
        this.prefix = prefixOf(name);
        this.form = form;
        this.ids = ids;
    }

    /** A value with its id. */
    public record Element<T>(String id, T value) {}

    /** The beginning of the names of a set's blobs. */
    static String prefixOf(String set) {
        return KeyEscaper.escape(set) + "/";
    }

    /**
     * Adds a value.
     *
     * @return the id of its element; a repetition after an error creates another element
     */
    public String add(T value) {
        String id = ids.token();
        put(id, value);
        return id;
    }

    /** Creates or replaces an element. */
    public void put(String id, T value) {
        blobs().put(CONTAINER, name(id), form.writer().apply(value).getBytes(StandardCharsets.UTF_8), BlobStore.ALWAYS);
    }

    public Optional<T> get(String id) {
        return blobs().read(CONTAINER, name(id))
                .map(bytes -> form.reader().apply(new String(bytes, StandardCharsets.UTF_8)));
    }

    /** @return false if there is no such element, or none any more */
    public boolean remove(String id) {
        return blobs().delete(CONTAINER, name(id), BlobStore.ALWAYS).written();
    }

    /** Removes every element that the set has at the beginning of this call. */
    public void clear() {
        blobs().stream(CONTAINER, prefix).forEach(blob -> blobs.delete(CONTAINER, blob.name(), BlobStore.ALWAYS));
    }

    /** Passes on every element that is there during the whole call; holds one at a time. */
    public void forEach(Consumer<Element<T>> taker) {
        blobs().stream(CONTAINER, prefix)
                .map(blob -> blob.name().substring(prefix.length()))
                .forEach(id -> get(id).ifPresent(value -> taker.accept(new Element<>(id, value))));
    }

    private String name(String id) {
        return prefix + id;
    }

    private BlobStore blobs() {
        if (!created) {
            blobs.createContainer(CONTAINER);
            created = true;
        }
        return blobs;
    }
}
