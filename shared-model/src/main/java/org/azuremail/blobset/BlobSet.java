package org.azuremail.blobset;

import java.util.Optional;
import java.util.function.Consumer;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Container;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.StorageException;

/**
 * A set of values, each in its own blob. Any process can open it by its name. It has no order and no limit of size. Safe for use
 * from many threads and processes. Every call may throw a {@link StorageException} and may then be repeated.
 */
public final class BlobSet<T> {

    static final String CONTAINER = "azuremail-blobsets";

    private final Container blobs;
    private final String prefix;
    private final TextForm<T> form;
    private final IdSource ids;

    BlobSet(BlobStore blobs, String name, TextForm<T> form, IdSource ids) {
        this.blobs = new Container(blobs, CONTAINER);
        this.prefix = prefixOf(name);
        this.form = form;
        this.ids = ids;
    }

    public record Element<T>(String id, T value) {}

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

    public void put(String id, T value) {
        blobs.put(name(id), form.writer().apply(value));
    }

    public Optional<T> get(String id) {
        return blobs.text(name(id)).map(form.reader());
    }

    /** @return false if there is no such element, or none any more */
    public boolean remove(String id) {
        return blobs.delete(name(id)).written();
    }

    /** Removes every element that the set has at the beginning of this call. */
    public void clear() {
        blobs.stream(prefix).forEach(blob -> blobs.delete(blob.name()));
    }

    /** Passes on every element that is in the set during the whole call; holds one at a time. */
    public void forEach(Consumer<Element<T>> taker) {
        blobs.stream(prefix).map(blob -> blob.name().substring(prefix.length())).forEach(id -> get(id).ifPresent(
                        value -> taker.accept(new Element<>(id, value))));
    }

    private String name(String id) {
        return prefix + id;
    }
}
