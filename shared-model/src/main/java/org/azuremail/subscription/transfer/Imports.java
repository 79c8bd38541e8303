package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.Writer;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Page;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.transfer.SubscriberImport.ImportFile;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;

/**
 * Imports of subscribers from CSV files. The file is stored as it streams in and imported in the background. An import
 * never subscribes people who unsubscribed, never changes suppressed subscribers, and sends no email.
 */
public record Imports(
        ListStore lists,
        BlobStore blobs,
        ImportStore store,
        WorkQueues queues,
        Time time,
        ImportProperties properties) {

    static final String CONTAINER = "azuremailimports";

    private static final int MARK = 4;
    private static final byte[] ZIP = {'P', 'K', 3, 4};
    private static final byte[] OLD_EXCEL = {(byte) 0xD0, (byte) 0xCF, 0x11, (byte) 0xE0};

    public Imports {
        blobs.createContainer(CONTAINER);
    }

    /**
     * An uploaded file.
     *
     * @param name the name of the file at its source; empty if unknown
     * @param encoding the encoding; empty to detect it
     */
    public record Upload(InputStream content, String name, Optional<FileEncoding> encoding) {}

    public sealed interface ImportStartResult {
        /** The file is stored, and its import is queued. */
        record Started(SubscriberImport started) implements ImportStartResult {}

        /** The list does not exist, or is being deleted. */
        record NoSuchList(ListName list) implements ImportStartResult {}

        /** An import with this id was already started, with other content. */
        record AnotherFile() implements ImportStartResult {}

        /** The file is an Excel workbook or similar, not text; nothing was stored. */
        record Workbook() implements ImportStartResult {}

        record TooLarge(long maxBytes) implements ImportStartResult {}
    }

    /**
     * Stores a file and queues its import, which reports faults inside the file. If the import of this id was already
     * started, nothing changes, and the file must be the same. If its upload was interrupted, this one replaces it.
     *
     * @param file the file, whose content is read to its end but never held in memory; not closed
     * @param verified whether to subscribe the file's people at once; the caller has their consent
     * @throws IOException if the file cannot be read to its end; nothing was started
     */
    public ImportStartResult start(ImportId id, ListName list, Upload file, boolean verified, Origin origin)
            throws IOException {
        PushbackInputStream content = new PushbackInputStream(file.content(), MARK);
        BlobStore.Condition asBefore = replaceCondition(id);
        Optional<SubscriberImport> before = find(id);
        long max = properties.maxFile().toBytes();
        EncodingDetector detector = new EncodingDetector(content, before.isPresent() ? Long.MAX_VALUE : max);
        DigestInputStream hashed = new DigestInputStream(detector, DigestUtils.getSha256Digest());
        if (before.isPresent()) {
            queues.put(
                    new ImportItem(id)); // the process that stored it may have died before; a second item does no harm
            return isSameFile(before.get(), hashed)
                    ? new ImportStartResult.Started(before.get())
                    : new ImportStartResult.AnotherFile();
        }
        Optional<MailingList> existing = lists.findActive(list);
        if (existing.isEmpty()) {
            return new ImportStartResult.NoSuchList(list);
        }
        if (isWorkbook(content)) {
            return new ImportStartResult.Workbook();
        }
        store.announce(id, time.instant());
        try {
            boolean put = blobs.put(CONTAINER, id.value(), hashed, asBefore).written();
            if (!put && !isUploaded(id, hash(hashed))) {
                return new ImportStartResult.AnotherFile();
            }
        } catch (EncodingDetector.FileTooLargeException e) {
            return new ImportStartResult.TooLarge(max);
        }
        SubscriberImport started = new SubscriberImport(
                id,
                list,
                existing.get().createdAt(),
                verified,
                origin.by(),
                time.instant(),
                new ImportFile(
                        hash(hashed),
                        file.name(),
                        file.encoding().orElseGet(detector::found),
                        file.encoding().isPresent()),
                SubscriberImport.State.RUNNING,
                Reason.NONE,
                null,
                SubscriberImport.Counts.NONE,
                null);
        Saved<SubscriberImport> saved = store.create(started);
        queues.put(new ImportItem(id));
        if (!(saved instanceof Saved.Conflict<SubscriberImport> conflict)) {
            return new ImportStartResult.Started(started);
        }
        SubscriberImport other = conflict.current().value();
        return isSameFile(other, hashed) ? new ImportStartResult.Started(other) : new ImportStartResult.AnotherFile();
    }

    /**
     * Returns the condition for replacing the file of an interrupted upload. A file that is uploaded after this call is
     * kept, because its import may be under way.
     */
    private BlobStore.Condition replaceCondition(ImportId id) throws IOException {
        Optional<BlobStore.OpenBlob> file = blobs.open(CONTAINER, id.value());
        if (file.isEmpty()) {
            return BlobStore.ABSENT;
        }
        file.get().content().close();
        return new BlobStore.Condition.AtEtag(file.get().info().etag());
    }

    /**
     * Returns whether the file is stored: an upload that was refused may have succeeded before, when its answer was
     * lost.
     */
    private boolean isUploaded(ImportId id, String hash) throws IOException {
        Optional<BlobStore.OpenBlob> file = blobs.open(CONTAINER, id.value());
        if (file.isEmpty()) {
            return false;
        }
        try (InputStream content = file.get().content()) {
            return DigestUtils.sha256Hex(content).equals(hash);
        }
    }

    /** Returns whether the file begins like an .xlsx (a ZIP archive) or an .xls file. */
    private static boolean isWorkbook(PushbackInputStream content) throws IOException {
        byte[] start = content.readNBytes(MARK);
        content.unread(start);
        return Arrays.equals(start, ZIP) || Arrays.equals(start, OLD_EXCEL);
    }

    private static boolean isSameFile(SubscriberImport started, DigestInputStream file) throws IOException {
        if (started.file().content() == null) {
            return true;
        }
        file.transferTo(OutputStream.nullOutputStream());
        return hash(file).equals(started.file().content());
    }

    private static String hash(DigestInputStream readToItsEnd) {
        return HexFormat.of().formatHex(readToItsEnd.getMessageDigest().digest());
    }

    /**
     * Returns the imports that are kept, the most recently active first. Reads their index and these imports.
     *
     * @param after the last import of the previous page; the first page if it is empty or no longer exists
     */
    public Page<SubscriberImport> latest(Optional<ImportId> after, int max) {
        List<ImportId> ids = store.latestFirst().stream()
                .map(row -> new ImportId(row.rowKey()))
                .toList();
        int from = after.map(ids::indexOf).orElse(-1) + 1;
        int to = Math.min(ids.size(), from + max);
        List<SubscriberImport> found = ids.subList(from, to).stream()
                .map(this::find)
                .flatMap(Optional::stream)
                .toList();
        return new Page<>(found, to < ids.size() ? ids.get(to - 1).value() : null);
    }

    public Optional<SubscriberImport> find(ImportId id) {
        return store.find(id).map(Versioned::value);
    }

    public List<RefusedRow> refused(ImportId id, int max) {
        return store.refused(id).limit(max).toList();
    }

    /**
     * Writes the refused rows as a CSV file: the line of the file, the address, the reason, and the row's other cells
     * under their headings. The corrected file can be imported.
     */
    public void writeRefused(ImportId id, Writer out) throws IOException {
        CsvWriter csv = new CsvWriter(out);
        List<String> headings = new ArrayList<>(ImportColumns.REFUSED_COLUMNS);
        headings.addAll(store.columns(id));
        csv.writeRow(headings);
        csv.writeRows(store.refused(id).map(Imports::cells));
        out.flush();
    }

    private static List<String> cells(RefusedRow row) {
        List<String> cells = new ArrayList<>(
                List.of(Long.toString(row.row()), row.address(), row.reason().words()));
        cells.addAll(row.others());
        return cells;
    }

    /**
     * A row of a file that changed nothing.
     *
     * @param row the line of the file in which it begins, from 1
     * @param address the cell in the address column
     * @param others the other cells of the row, so that it can be corrected and imported; empty if they are too long to
     *     keep, or if an older version saved the refusal
     */
    public record RefusedRow(long row, String address, Reason reason, List<String> others) {

        private static final int SHOWN = 320;

        /** The most characters of a row's other cells, so that a chunk of such rows fits in memory. */
        private static final int KEPT = 8000;

        public RefusedRow {
            address = Reason.truncate(address, SHOWN);
            others = kept(others);
        }

        /** Returns the cells, or none if they are too long. */
        static List<String> kept(List<String> others) {
            return others.stream().mapToInt(String::length).sum() > KEPT ? List.of() : others;
        }
    }

    public record ImportItem(ImportId id) {

        public static final ItemType<ImportItem> TYPE = new ItemType<>(
                "azuremailimportqueue",
                ImportItem.class,
                item -> item.id().value(),
                text -> new ImportItem(new ImportId(text)));
    }
}
