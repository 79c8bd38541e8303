package org.azuremail.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.Escaping;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MergedMail;
import org.azuremail.mail.MimeTemplate;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every mail as it would have been sent. A content is stored once a day, a mail only by its values; looked at, it
 * is merged again into exactly the bytes that a server would have been given. Safe for use from many threads and
 * processes. Everything but {@link #keep} may throw a {@link StorageException}.
 */
public final class OutboxStore {

    private static final int TRIES = 3;
    private static final int LOT_BYTES = 9;

    private final Table mails;
    private final OutboxContents contents;
    private final Time time;
    private final IdSource ids;

    public OutboxStore(Storage storage, Time time, IdSource ids) {
        this.mails = new Table(storage.tables(), OutboxKeys.TABLE);
        this.contents = new OutboxContents(storage.blobs());
        this.time = time;
        this.ids = ids;
    }

    /**
     * Keeps the mails of a lot, in its order, by batches of which each is kept as a whole or not at all. A batch whose
     * answer was lost is written again under the same keys, so that it is never kept twice.
     *
     * @return how far it came; a failing storage is told by the result, never thrown
     * @throws IllegalArgumentException when the values of one mail are larger than a row; nothing was kept
     */
    public Kept keep(MailLot lot) {
        int kept = 0;
        try {
            Instant now = time.instant();
            String content = contents.store(lot.content(), now);
            for (List<Write> batch : OutboxBatches.of(lot, OutboxKeys.lot(ids.bytes(LOT_BYTES)), now, content)) {
                Optional<StorageException> failure = insert(batch);
                int mails = batch.size() / 2;
                if (failure.isPresent()) {
                    return new Kept(kept, happened(failure.get()) ? mails : 0, failure);
                }
                kept += mails;
            }
            return new Kept(kept, 0, Optional.empty());
        } catch (StorageException beforeAnyMail) {
            return new Kept(0, 0, Optional.of(beforeAnyMail));
        }
    }

    /** Nobody else uses these keys: what exists was written by an attempt whose answer was lost. */
    private Optional<StorageException> insert(List<Write> batch) {
        StorageException last = null;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            try {
                mails.write(OutboxKeys.PARTITION, batch);
                return Optional.empty();
            } catch (StorageException failure) {
                last = last != null && happened(last) ? last : failure;
            }
        }
        return Optional.ofNullable(last);
    }

    /** Whether the write may have happened although it failed. */
    private static boolean happened(StorageException failure) {
        return failure.reason() != StorageException.Reason.THROTTLED
                && failure.reason() != StorageException.Reason.DENIED;
    }

    /**
     * A page of all mails, newest first.
     *
     * @param limit 1 to 1,000
     * @param continuation of the page before, or {@code null} for the first
     */
    public OutboxPage newest(int limit, @Nullable String continuation) {
        RowPage page = mails.first(KeyRange.prefix(OutboxKeys.PARTITION, OutboxKeys.MAIL), limit, continuation);
        return new OutboxPage(
                page.rows().stream().map(OutboxRow::of).map(this::entry).toList(), page.continuation());
    }

    /** A page of the mails to one address, newest first; capitals do not matter. */
    public OutboxPage to(EmailAddress recipient, int limit, @Nullable String continuation) {
        KeyRange found = KeyRange.prefix(OutboxKeys.PARTITION, OutboxKeys.recipient(recipient));
        RowPage page = mails.first(found, limit, continuation);
        List<OutboxEntry> entries = new ArrayList<>();
        for (Row row : page.rows()) {
            row(OutboxKeys.idOf(row.rowKey())).map(this::entry).ifPresent(entries::add);
        }
        return new OutboxPage(entries, page.continuation());
    }

    /** One mail, whole; empty when there is none under this id (any more). */
    public Optional<OutboxMail> find(String id) {
        if (!OutboxKeys.isId(id)) {
            return Optional.empty();
        }
        return row(id).flatMap(row -> contents.find(row.content()).map(template -> whole(row, template)));
    }

    private Optional<OutboxRow> row(String id) {
        return mails.get(OutboxKeys.PARTITION, OutboxKeys.mail(id)).map(OutboxRow::of);
    }

    private OutboxEntry entry(OutboxRow row) {
        return contents.find(row.content())
                .map(template -> entry(row, template.content()))
                .orElseGet(() -> new OutboxEntry(
                        row.id(), row.sentAt(), row.mail().to(), row.mail().to(), "(removed)"));
    }

    private static OutboxEntry entry(OutboxRow row, MailContent content) {
        String subject = content.subject().merge(row.mail().fields(), Escaping.ONE_LINE);
        return new OutboxEntry(
                row.id(), row.sentAt(), content.from(), row.mail().to(), subject);
    }

    private static OutboxMail whole(OutboxRow row, MimeTemplate template) {
        MailContent content = template.content();
        return new OutboxMail(
                entry(row, content),
                content.replyTo(),
                row.mail().messageId(),
                MergedMail.of(content, row.mail()),
                template.merge(row.mail(), row.sentAt()));
    }

    /** Removes everything that was handed over before now. */
    public void clear() {
        trim(time.instant());
    }

    /** Removes what was handed over before this instant; what fails halfway is removed by the next call. */
    public void trim(Instant before) {
        KeyRange old = KeyRange.rows(
                OutboxKeys.PARTITION, OutboxKeys.mailsBefore(before), KeyRange.afterPrefix(OutboxKeys.MAIL));
        RowPage page;
        do {
            page = mails.first(old, TableStore.MAX_BATCH / 2, null);
            delete(page.rows().stream().map(OutboxRow::of).toList());
        } while (!page.rows().isEmpty());
        contents.trim(before);
    }

    private void delete(List<OutboxRow> rows) {
        List<Write> deletes =
                rows.stream().flatMap(row -> row.deletes().stream()).toList();
        if (deletes.isEmpty() || written(deletes)) {
            return;
        }
        deletes.forEach(delete -> written(List.of(delete)));
    }

    /** Not written: somebody else removed one of them meanwhile. */
    private boolean written(List<Write> deletes) {
        WriteResult result = mails.write(OutboxKeys.PARTITION, deletes);
        return result.written();
    }
}
