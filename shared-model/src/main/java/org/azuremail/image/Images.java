package org.azuremail.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Container;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The images that admins upload for messages. A row of the table {@code image} lists each image, newest first. Its
 * content is a blob under a name that cannot be guessed, and never changes. Anybody who has the name can read the blob.
 *
 * <p>The blob is stored before its row and deleted after it. A crash in between leaves a blob that no row names. Its
 * name was never shown, or its image was deleted; the next upload deletes it when it is a day old. Safe for use by many
 * threads and processes. Every call may throw a {@link org.azuremail.storage.StorageException}. After that, a change of
 * the alternative text and a deletion may be repeated; a repeated upload may store the image twice.
 */
public final class Images {

    /** The most images. */
    public static final int MAX = 2000;

    /** The largest uploaded file, in bytes. */
    public static final int MAX_UPLOAD = 10 * 1024 * 1024;

    /** The longest name of a file, in characters. A longer one is cut. */
    static final int MAX_NAME = 100;

    static final String TABLE = "image";
    static final String CONTAINER = "azuremailimages";

    /** The age from which a blob without a row belongs to no upload that is still under way. */
    static final Duration ORPHAN_AGE = Duration.ofDays(1);

    /** The time for which a content is not read again, and another process may still serve a deleted image. */
    static final Duration SHARED_TTL = Duration.ofSeconds(10);

    private static final String PARTITION = "image";

    /** The time from which ids count down, in milliseconds, so that the newest images come first. */
    private static final long LAST_MILLI = 9_999_999_999_999L;

    private static final String ALT = "Alt";
    private static final Pattern BLOB = Pattern.compile("[A-Za-z0-9_-]{22}\\.(?:png|jpg|gif)");
    private static final Pattern NOT_IN_NAMES = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}]|^.*[/\\\\]");

    /** One image at a time is read and decoded, because each may need nearly a hundred megabytes. */
    private static final Semaphore ONE_AT_A_TIME = new Semaphore(1);

    private final Table table;
    private final Container blobs;
    private final Map<String, Shared> shared = new ConcurrentHashMap<>();
    private final IdSource ids;
    private final Time time;
    private final URI publicUrl;

    public Images(Storage storage, IdSource ids, Time time, URI publicUrl) {
        this.table = new Table(storage.tables(), TABLE);
        this.blobs = new Container(storage.blobs(), CONTAINER);
        this.ids = ids;
        this.time = time;
        this.publicUrl = publicUrl;
    }

    /** A content that is in memory as long as somebody loads it. */
    private record Shared(WeakReference<byte[]> content, Duration untilElapsed) {

        byte @Nullable [] get() {
            return content.get();
        }
    }

    /** An uploaded file, outside the memory until it is read. */
    public interface Upload {
        /** Returns the content; of a file that is too large, at least a byte more than {@link #MAX_UPLOAD}. */
        byte[] read() throws IOException;
    }

    /** The result of an upload. */
    public sealed interface Added {

        record Done(Image image) implements Added {}

        record Refused(ImageRefusal why) implements Added {}
    }

    /**
     * Resizes and stores an image.
     *
     * @param name the name of the file, as its sender chose it
     * @param alt the alternative text, which the caller has checked
     */
    public Added add(Upload upload, String name, String alt, String by) {
        Set<String> blobsInUse = deleteOrphans();
        if (blobsInUse.size() >= MAX) {
            return new Added.Refused(ImageRefusal.FULL);
        }
        ImageFile file;
        ONE_AT_A_TIME.acquireUninterruptibly();
        try {
            file = ImageFile.read(upload.read(), time);
        } catch (ImageFile.RefusedException refused) {
            return new Added.Refused(refused.why());
        } catch (IOException e) {
            throw new UncheckedIOException("upload broke off", e);
        } finally {
            ONE_AT_A_TIME.release();
        }
        Instant at = time.instant();
        String blob = ids.token() + "." + file.suffix();
        String id = String.format(Locale.ROOT, "%013d-%s", LAST_MILLI - at.toEpochMilli(), blob);
        Image image = new Image(id, fileName(name), alt, file.width(), file.height(), file.content().length, by, at);
        blobs.put(blob, file.content());
        table.write(PARTITION, Write.insert(id, values(image)));
        return new Added.Done(image);
    }

    /** Deletes the blobs of uploads and deletions that did not end; returns the names of the others. */
    private Set<String> deleteOrphans() {
        Instant before = time.instant().minus(ORPHAN_AGE);
        // The blobs are listed first: an older one gets no row any more.
        List<String> old = blobs.stream("")
                .filter(blob -> blob.modifiedAt().isBefore(before))
                .map(blob -> blob.name())
                .toList();
        Set<String> inUse = table.stream(KeyRange.partition(PARTITION))
                .map(row -> Image.blob(row.rowKey()))
                .collect(Collectors.toSet());
        old.stream().filter(blob -> !inUse.contains(blob)).forEach(blobs::delete);
        return inUse;
    }

    private static String fileName(String typed) {
        String name = NOT_IN_NAMES.matcher(typed).replaceAll("").strip();
        int end = Math.min(name.codePointCount(0, name.length()), MAX_NAME);
        return name.substring(0, name.offsetByCodePoints(0, end));
    }

    /** Returns a page of images, newest first. This is one query unless the storage returns short pages. */
    public Page<Image> page(int limit, @Nullable String continuation) {
        Page<Row> rows = table.first(KeyRange.partition(PARTITION), limit, continuation);
        return rows.map(Images::image);
    }

    public Optional<Versioned<Image>> find(String id) {
        return Image.isId(id)
                ? table.get(PARTITION, id).map(row -> new Versioned<>(image(row), row.etag()))
                : Optional.empty();
    }

    /** Changes the alternative text. Messages that contain the image keep the old one. */
    public Saved<Image> changeAlt(Versioned<Image> read, String alt, String etag) {
        Image image = read.value();
        Image changed = new Image(
                image.id(), image.name(), alt, image.width(), image.height(), image.bytes(), image.by(), image.at());
        return table.replace(
                new Key(PARTITION, image.id()), values(changed), etag, values -> image(image.id(), values));
    }

    /** Deletes an image. A repeated call completes a deletion that broke off. */
    public void delete(String id) {
        if (Image.isId(id)) {
            table.write(PARTITION, Write.delete(id));
            blobs.delete(Image.blob(id));
            shared.remove(Image.blob(id));
        }
    }

    /**
     * Returns the content of an image by the name of its blob, which may come from an address. All who load it at the
     * same time get the same array, which they must not change: thousands of people may open an email at once, and slow
     * connections keep it for a while.
     */
    public Optional<byte[]> content(String blob) {
        if (!BLOB.matcher(blob).matches()) {
            return Optional.empty();
        }
        Shared known = shared.get(blob);
        byte[] current = known == null || known.untilElapsed().compareTo(time.elapsed()) <= 0 ? null : known.get();
        return current == null ? read(blob) : Optional.of(current);
    }

    private Optional<byte[]> read(String blob) {
        Optional<byte[]> read = blobs.read(blob);
        if (read.isEmpty()) {
            shared.remove(blob);
            return read;
        }
        Shared known = shared.get(blob);
        byte[] used = known == null ? null : known.get();
        byte[] content = used == null ? read.get() : used;
        shared.put(blob, new Shared(new WeakReference<>(content), time.elapsed().plus(SHARED_TTL)));
        return Optional.of(content);
    }

    /** Returns the address of an image in emails. */
    public String address(Image image) {
        return publicUrl + "/image/" + image.blob();
    }

    private static Values values(Image image) {
        return Values.builder()
                .put("Name", image.name())
                .put(ALT, image.alt())
                .put("Width", image.width())
                .put("Height", image.height())
                .put("Bytes", image.bytes())
                .put("UploadedBy", image.by())
                .put("UploadedAt", image.at())
                .build();
    }

    private static Image image(Row row) {
        return image(row.rowKey(), row.values());
    }

    private static Image image(String id, Values values) {
        return new Image(
                id,
                values.string("Name", ""),
                values.requireString(ALT),
                values.integer("Width", 0),
                values.integer("Height", 0),
                values.integer("Bytes", 0),
                values.string("UploadedBy", ""),
                values.requireInstant("UploadedAt"));
    }
}
