package org.azuremail.subscription.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;

/**
 * Imports of subscribers from CSV files. The file is stored as it streams in and worked off in the background; an import
 * never revives who left, never changes who is suppressed, and mails nobody.
 */
public final class Imports {

    static final String CONTAINER = "azuremailimports";

    private final ListStore lists;
    private final BlobStore blobs;
    private final ImportStore store;
    private final WorkQueues queues;
    private final IdSource ids;
    private final Time time;
    private final ImportProperties properties;

    Imports(
            ListStore lists,
            BlobStore blobs,
            ImportStore store,
            WorkQueues queues,
            IdSource ids,
            Time time,
            ImportProperties properties) {
        this.lists = lists;
        this.blobs = blobs;
        this.store = store;
        this.queues = queues;
        this.ids = ids;
        this.time = time;
        this.properties = properties;
        blobs.createContainer(CONTAINER);
    }

    /** What became of a file that was sent. */
    public sealed interface Start {
        /** The file is stored and is worked off. */
        record Started(SubscriberImport started) implements Start {}

        /** There is no such list, or it is being deleted. */
        record NoSuchList(ListName list) implements Start {}

        /** An import was started under this id, with other content. */
        record AnotherFile() implements Start {}

        /** Nothing was kept. */
        record TooLarge(long maxBytes) implements Start {}
    }

    /**
     * Stores a file and sends somebody for it. What is wrong inside the file shows in the import, not here.
     *
     * @param file read to its end, never held in memory; not closed
     * @param verified whether its people are subscribed at once: whoever says so has their consent
     * @throws IOException when the file cannot be read to its end; nothing was started
     */
    public Start start(ListName list, InputStream file, boolean verified, Origin origin) throws IOException {
        return start(ImportId.next(ids), list, file, verified, origin);
    }

    /**
     * The same under an id that was chosen before. One that was started already stays as it is, and its file has to be the same; of
     * one that broke off while its file came in the file is taken anew.
     */
    public Start start(ImportId id, ListName list, InputStream file, boolean verified, Origin origin)
            throws IOException {
        DigestInputStream hashed = new DigestInputStream(file, sha256());
        Optional<SubscriberImport> before = find(id);
        if (before.isPresent()) {
            queues.put(
                    new ImportItem(id)); // whoever stored it may have died before that; one item too many does no harm
            return isOf(before.get(), hashed) ? new Start.Started(before.get()) : new Start.AnotherFile();
        }
        if (lists.findActive(list).isEmpty()) {
            return new Start.NoSuchList(list);
        }
        store.announce(id, time.instant());
        try {
            blobs.put(
                    CONTAINER,
                    id.value(),
                    new Limited(hashed, properties.maxFile().toBytes()),
                    BlobStore.ALWAYS);
        } catch (FileTooLarge e) {
            return new Start.TooLarge(properties.maxFile().toBytes());
        }
        SubscriberImport started = new SubscriberImport(
                id,
                list,
                verified,
                origin.by(),
                time.instant(),
                hash(hashed),
                SubscriberImport.State.RUNNING,
                Reason.NONE,
                null,
                SubscriberImport.Counts.NONE,
                null);
        store.create(started);
        queues.put(new ImportItem(id));
        return new Start.Started(started);
    }

    private static boolean isOf(SubscriberImport started, DigestInputStream file) throws IOException {
        if (started.content() == null) {
            return true;
        }
        file.transferTo(OutputStream.nullOutputStream());
        return started.content().equals(hash(file));
    }

    private static String hash(DigestInputStream readToItsEnd) {
        return HexFormat.of().formatHex(readToItsEnd.getMessageDigest().digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** An import as far as it has come. */
    public Optional<SubscriberImport> find(ImportId id) {
        return store.find(id).map(Versioned::value);
    }

    /**
     * The refused rows as a CSV file: line of the file, address, reason, then the row's other cells under their headings.
     * Mended it can be sent again.
     */
    public void writeRefused(ImportId id, Writer out) throws IOException {
        CsvOut csv = new CsvOut(out);
        List<String> headings = new ArrayList<>(ImportColumns.OF_REFUSED);
        headings.addAll(store.columns(id));
        csv.row(headings);
        var rows = store.refused(id).iterator();
        while (rows.hasNext()) {
            RefusedRow row = rows.next();
            List<String> cells = new ArrayList<>(List.of(
                    Long.toString(row.row()), row.address(), row.reason().words()));
            cells.addAll(row.others());
            csv.row(cells);
        }
        csv.flush();
    }

    private static final class FileTooLarge extends IOException {}

    private static final class Limited extends FilterInputStream {

        private long left;

        Limited(InputStream in, long max) {
            super(in);
            this.left = max;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int bytes) throws IOException {
            left -= bytes;
            if (left < 0) {
                throw new FileTooLarge();
            }
        }
    }
}
