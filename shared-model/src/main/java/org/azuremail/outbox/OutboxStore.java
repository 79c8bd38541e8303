package org.azuremail.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.Escaping;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.mail.mime.MimeTemplate;
import org.azuremail.outbox.OutboxKeys.Id;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Stores every email as it would have been sent. A content is stored once a day, and emails only by their values. For a
 * page, an email is merged again into exactly the bytes that a server would have received. Safe for use from many
 * threads and processes. All methods except {@link #store} may throw a {@link StorageException}.
 */
public final class OutboxStore {

    private static final int TRIES = 3;
    private static final int NAME_BYTES = 6;
    private static final int LOT_PAGE = 20;

    /**
     * The lots that are read first: the rest of one lot and the next, because a message's lots fill at least a page.
     */
    private static final int FIRST_LOTS = 2;

    private final Table lots;
    private final OutboxContents contents;
    private final Time time;
    private final IdSource ids;

    public OutboxStore(Storage storage, Time time, IdSource ids) {
        this.lots = new Table(storage.tables(), OutboxKeys.TABLE);
        this.contents = new OutboxContents(storage.blobs());
        this.time = time;
        this.ids = ids;
    }

    /**
     * @param id identifies the email; safe in a URL
     * @param sentAt when it was handed over
     * @param subject as the recipient reads it
     */
    public record Entry(String id, Instant sentAt, Mailbox from, Mailbox to, String subject) {}

    /**
     * @param messageId without angle brackets
     * @param merged subject, bodies and the further headers as the recipient reads them
     * @param raw the bytes that a server would have received: an {@code .eml} file
     */
    public record FullEmail(Entry entry, @Nullable Mailbox replyTo, String messageId, MergedMail merged, byte[] raw) {}

    /**
     * The part of a lot that the outbox has stored, counted from its first email.
     *
     * @param certain the number of emails that are stored, durably
     * @param doubtful the number of emails after them that may be stored
     * @param failure why the rest was not begun; empty when all are stored
     */
    public record StoreResult(int certain, int doubtful, Optional<StorageException> failure) {}

    /**
     * Stores the emails of a lot, in its order, by batches of 99, each of which is stored completely or not at all. A
     * batch whose answer was lost is written again under the same keys, so that it is never stored twice.
     *
     * @return how many emails were stored; a storage failure is part of the result and never thrown
     * @throws IllegalArgumentException when the values of one email are larger than a row; nothing was stored
     */
    public StoreResult store(MailLot lot) {
        int kept = 0;
        try {
            Instant now = time.instant();
            String content = contents.store(lot.content(), now);
            for (OutboxLot.Batch batch : OutboxLot.batches(lot, now, ids.bytes(NAME_BYTES), content)) {
                Optional<StorageException> failure = insert(batch.writes());
                if (failure.isPresent()) {
                    return new StoreResult(kept, mayHaveHappened(failure.get()) ? batch.mails() : 0, failure);
                }
                kept += batch.mails();
            }
            return new StoreResult(kept, 0, Optional.empty());
        } catch (StorageException beforeAnyMail) {
            return new StoreResult(0, 0, Optional.of(beforeAnyMail));
        }
    }

    /**
     * Inserts a batch. Only this call uses its keys, so an existing row was written by an attempt whose answer was
     * lost.
     */
    private Optional<StorageException> insert(List<Write> batch) {
        StorageException worst = null;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            try {
                lots.write(OutboxKeys.PARTITION, batch);
                return Optional.empty();
            } catch (StorageException failure) {
                worst = worst != null && mayHaveHappened(worst) ? worst : failure;
            }
        }
        return Optional.ofNullable(worst);
    }

    private static boolean mayHaveHappened(StorageException failure) {
        return failure.reason() != StorageException.Reason.THROTTLED
                && failure.reason() != StorageException.Reason.DENIED;
    }

    /**
     * Returns a page of all emails, newest first.
     *
     * @param limit 1 to 1,000
     * @param continuation of the page before, or {@code null} for the first
     * @throws IllegalArgumentException when the continuation is invalid
     */
    public Page<Entry> newest(int limit, @Nullable String continuation) {
        Id after = continuation == null
                ? null
                : Id.parse(continuation)
                        .orElseThrow(() -> new IllegalArgumentException("not a continuation of the outbox"));
        String from = after == null ? OutboxKeys.LOTS : OutboxKeys.row(after.lot());
        KeyRange range = KeyRange.rows(OutboxKeys.PARTITION, from, KeyRange.afterPrefix(OutboxKeys.LOTS));
        List<Place> places = new ArrayList<>();
        String rest = null;
        int atOnce = FIRST_LOTS;
        do {
            Page<Row> page = lots.first(range, atOnce, rest);
            page.items().forEach(row -> places.addAll(places(OutboxLot.of(row), after)));
            rest = page.continuation();
            atOnce = LOT_PAGE;
        } while (rest != null && places.size() <= limit);
        List<Entry> entries = places.stream()
                .limit(limit)
                .map(place -> entry(place.lot(), place.number()))
                .toList();
        return new Page<>(
                entries, places.size() > limit ? entries.get(limit - 1).id() : null);
    }

    private record Place(OutboxLot lot, int number) {}

    /** Returns the lot's emails that follow the last one shown, in reverse order. */
    private static List<Place> places(OutboxLot lot, @Nullable Id after) {
        int mails = lot.mails().size();
        int left = after != null && lot.name().equals(after.lot()) ? Math.min(after.place(), mails) : mails;
        List<Place> places = new ArrayList<>();
        for (int number = left - 1; number >= 0; number--) {
            places.add(new Place(lot, number));
        }
        return places;
    }

    /** Returns a page of the emails to one address, newest first; case does not matter. */
    public Page<Entry> to(EmailAddress recipient, int limit, @Nullable String continuation) {
        KeyRange found = KeyRange.prefix(OutboxKeys.PARTITION, OutboxKeys.recipient(recipient));
        Page<Row> page = lots.first(found, limit, continuation);
        List<Entry> entries = page.items().stream()
                .flatMap(row -> OutboxKeys.found(row.rowKey()).stream())
                .flatMap(id -> lot(id).map(lot -> entry(lot, id.place())).stream())
                .toList();
        return new Page<>(entries, page.continuation());
    }

    /** Returns one complete email; empty when none has this id, or it has been deleted. */
    public Optional<FullEmail> find(String id) {
        return Id.parse(id).flatMap(parsed -> lot(parsed)
                .flatMap(lot -> contents.find(lot.content()).map(template -> whole(lot, parsed.place(), template))));
    }

    private Optional<OutboxLot> lot(Id id) {
        return lots.get(OutboxKeys.PARTITION, OutboxKeys.row(id.lot()))
                .map(OutboxLot::of)
                .filter(lot -> id.place() < lot.mails().size());
    }

    private Entry entry(OutboxLot lot, int place) {
        Mail mail = lot.mails().get(place);
        Optional<MailContent> content = contents.find(lot.content()).map(MimeTemplate::content);
        Mailbox from = content.map(MailContent::from).orElse(mail.to());
        String subject = content.map(found -> found.subject().merge(mail.fields(), Escaping.ONE_LINE))
                .orElse("");
        return new Entry(lot.id(place).toString(), lot.sentAt(), from, mail.to(), subject);
    }

    private FullEmail whole(OutboxLot lot, int place, MimeTemplate template) {
        Mail mail = lot.mails().get(place);
        return new FullEmail(
                entry(lot, place),
                template.content().replyTo(),
                mail.messageId(),
                MergedMail.of(template.content(), mail),
                template.merge(mail, lot.sentAt()));
    }

    /** Deletes emails that were handed over before this instant; the next call finishes an interrupted one. */
    public void trim(Instant before) {
        KeyRange old = KeyRange.rows(
                OutboxKeys.PARTITION, OutboxKeys.rowsBefore(before), KeyRange.afterPrefix(OutboxKeys.LOTS));
        Page<Row> page;
        do {
            page = lots.first(old, LOT_PAGE, null);
            // A whole batch, as it was stored; if rows are missing, another process deleted it meanwhile.
            page.items()
                    .forEach(row ->
                            lots.write(OutboxKeys.PARTITION, OutboxLot.of(row).deletes()));
        } while (!page.items().isEmpty());
        contents.trim(before);
    }
}
