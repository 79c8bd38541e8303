package org.azuremail.subscription.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.Writer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Page;
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

    private static final int MARK = 4;
    private static final byte[] ZIP = {'P', 'K', 3, 4};
    private static final byte[] OLD_EXCEL = {(byte) 0xD0, (byte) 0xCF, 0x11, (byte) 0xE0};

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

    /**
     * A file that is sent.
     *
     * @param name what it is called where it comes from; empty where nobody says
     * @param encoding how it is written; empty to find it out
     */
    public record Upload(InputStream content, String name, Optional<FileEncoding> encoding) {

        public static Upload of(InputStream content) {
            return new Upload(content, "", Optional.empty());
        }
    }

    /** The result of an upload. */
    public sealed interface Start {
        /** The file is stored and is worked off. */
        record Started(SubscriberImport started) implements Start {}

        /** There is no such list, or it is being deleted. */
        record NoSuchList(ListName list) implements Start {}

        /** An import was started under this id, with other content. */
        record AnotherFile() implements Start {}

        /** Not text but an Excel file or the like; nothing was kept. */
        record Workbook() implements Start {}

        /** Nothing was kept. */
        record TooLarge(long maxBytes) implements Start {}
    }

    /**
     * Stores a file and sends somebody for it. Faults inside the file show in the import, not here.
     *
     * @param file its content is read to its end, never held in memory; not closed
     * @param verified whether its people are subscribed at once: the caller that says so has their consent
     * @throws IOException when the file cannot be read to its end; nothing was started
     */
    public Start start(ListName list, Upload file, boolean verified, Origin origin) throws IOException {
        return start(ImportId.next(ids), list, file, verified, origin);
    }

    /**
     * The same under an id that was chosen before. One that was started already stays as it is, and its file has to be the
     * same; of one that broke off while its file came in the file is taken anew.
     */
    public Start start(ImportId id, ListName list, Upload file, boolean verified, Origin origin) throws IOException {
        PushbackInputStream content = new PushbackInputStream(file.content(), MARK);
        EncodingSearch search = new EncodingSearch(content);
        DigestInputStream hashed = new DigestInputStream(search, sha256());
        Optional<SubscriberImport> before = find(id);
        if (before.isPresent()) {
            queues.put(
                    new ImportItem(id)); // whoever stored it may have died before that; one item too many does no harm
            return isOf(before.get(), hashed) ? new Start.Started(before.get()) : new Start.AnotherFile();
        }
        if (lists.findActive(list).isEmpty()) {
            return new Start.NoSuchList(list);
        }
        if (isWorkbook(content)) {
            return new Start.Workbook();
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
                new ImportFile(
                        hash(hashed),
                        file.name(),
                        file.encoding().orElseGet(search::found),
                        file.encoding().isPresent()),
                SubscriberImport.State.RUNNING,
                Reason.NONE,
                null,
                SubscriberImport.Counts.NONE,
                null);
        store.create(started);
        queues.put(new ImportItem(id));
        return new Start.Started(started);
    }

    /** The marks at the beginning of .xlsx (a ZIP archive) and .xls. */
    private static boolean isWorkbook(PushbackInputStream content) throws IOException {
        byte[] start = content.readNBytes(MARK);
        content.unread(start);
        return Arrays.equals(start, ZIP) || Arrays.equals(start, OLD_EXCEL);
    }

    private static boolean isOf(SubscriberImport started, DigestInputStream file) throws IOException {
        if (started.file().content() == null) {
            return true;
        }
        file.transferTo(OutputStream.nullOutputStream());
        return hash(file).equals(started.file().content());
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

    /**
     * The imports that are kept, the one that moved on last first; reads their index and these.
     *
     * @param after the last one of the page before; begins at the first where there is none, or it is gone
     */
    public Page<SubscriberImport> latest(Optional<ImportId> after, int most) {
        List<ImportId> ids = store.index().stream()
                .sorted(ImportStore.LATEST_FIRST)
                .map(row -> new ImportId(row.rowKey()))
                .toList();
        int from = after.map(ids::indexOf).orElse(-1) + 1;
        int to = Math.min(ids.size(), from + most);
        List<SubscriberImport> found = ids.subList(from, to).stream()
                .map(this::find)
                .flatMap(Optional::stream)
                .toList();
        return new Page<>(found, to < ids.size() ? ids.get(to - 1).value() : null);
    }

    /** An import as far as it has come. */
    public Optional<SubscriberImport> find(ImportId id) {
        return store.find(id).map(Versioned::value);
    }

    /** The first refused rows, in the order of the file. */
    public List<RefusedRow> refused(ImportId id, int most) {
        return store.refused(id).limit(most).toList();
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
