package org.azuremail.blobset;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.BlobStore.BlobPage;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Page;
import org.jspecify.annotations.Nullable;

/**
 * A set of values, each in a blob of its own, found again from any process by the set's name. It has no order and no limit
 * of size. Safe for use from many threads and processes; every call may throw a
 * {@link org.azuremail.storage.StorageException} and may be repeated then.
 */
public final class BlobSet<T> {

    static final String CONTAINER = "azuremail-blobsets";

    private final BlobStore blobs;
    private final String prefix;
    private final TextForm<T> form;
    private final IdSource ids;
    private volatile boolean made;

    BlobSet(BlobStore blobs, String name, TextForm<T> form, IdSource ids) {
        this.blobs = blobs;
        this.prefix = prefixOf(name);
        this.form = form;
        this.ids = ids;
    }

    /** One value with the id that finds it. */
    public record Element<T>(String id, T value) {}

    /** The beginning of the names of a set's blobs. */
    static String prefixOf(String set) {
        return KeyEscaper.escape(set) + "/";
    }

    /**
     * Adds a value.
     *
     * @return the id of its element; adding it again after an error makes another element
     */
    public String add(T value) {
        String id = ids.token();
        put(id, value);
        return id;
    }

    /** Makes or replaces an element. */
    public void put(String id, T value) {
        blobs().put(CONTAINER, name(id), form.writer().apply(value).getBytes(StandardCharsets.UTF_8), BlobStore.ALWAYS);
    }

    public Optional<T> get(String id) {
        return blobs().read(CONTAINER, name(id))
                .map(bytes -> form.reader().apply(new String(bytes, StandardCharsets.UTF_8)));
    }

    /** @return false when there is no such element (any more) */
    public boolean remove(String id) {
        return blobs().delete(CONTAINER, name(id), BlobStore.ALWAYS).written();
    }

    /** Removes every element that was there when this began. */
    public void clear() {
        blobs().stream(CONTAINER, prefix).forEach(blob -> blobs.delete(CONTAINER, blob.name(), BlobStore.ALWAYS));
    }

    /**
     * Some elements; a page may be empty and still continue. Costs a listing and a read for each element.
     *
     * @param limit 1 to 1,000
     */
    public Page<Element<T>> page(int limit, @Nullable String continuation) {
        BlobPage names = blobs().list(CONTAINER, prefix, limit, continuation);
        List<Element<T>> elements = new ArrayList<>();
        for (String id : ids(names)) {
            get(id).ifPresent(value -> elements.add(new Element<>(id, value)));
        }
        return new Page<>(elements, names.continuation());
    }

    /** Hands over every element that is there from the beginning to the end of the walk; holds one at a time. */
    public void forEach(Consumer<Element<T>> taker) {
        blobs().stream(CONTAINER, prefix)
                .map(blob -> blob.name().substring(prefix.length()))
                .forEach(id -> get(id).ifPresent(value -> taker.accept(new Element<>(id, value))));
    }

    private List<String> ids(BlobPage page) {
        return page.blobs().stream()
                .map(BlobInfo::name)
                .map(name -> name.substring(prefix.length()))
                .toList();
    }

    private String name(String id) {
        return prefix + id;
    }

    private BlobStore blobs() {
        if (!made) {
            blobs.createContainer(CONTAINER);
            made = true;
        }
        return blobs;
    }
}
