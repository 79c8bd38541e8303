package org.azuremail.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;

/** Divides a lot into batches that a table takes: two rows a mail. */
final class OutboxBatches {

    private static final int MAX_WRITES = TableStore.MAX_BATCH;

    /** A character has at most three bytes of UTF-8 or two of UTF-16; keys and short properties come on top. */
    private static final long MAX_CHARACTERS = TableStore.MAX_BATCH_BYTES / 4;

    private final List<List<Write>> batches = new ArrayList<>();
    private List<Write> batch = new ArrayList<>();
    private long characters;

    private OutboxBatches() {}

    static List<List<Write>> of(MailLot lot, String lotName, Instant sentAt, String content) {
        OutboxBatches batches = new OutboxBatches();
        Set<String> used = usedFields(lot.content());
        for (int place = 0; place < lot.mails().size(); place++) {
            Mail mail = lot.mails().get(place);
            OutboxRow row = new OutboxRow(OutboxKeys.id(sentAt, lotName, place), sentAt, mail, content);
            batches.add(row, OutboxRow.fields(mail, used));
        }
        batches.end();
        return batches.batches;
    }

    private void add(OutboxRow row, String fields) {
        if (batch.size() == MAX_WRITES || characters + fields.length() > MAX_CHARACTERS) {
            end();
        }
        batch.addAll(row.inserts(fields));
        characters += fields.length();
    }

    private void end() {
        if (!batch.isEmpty()) {
            batches.add(batch);
            batch = new ArrayList<>();
            characters = 0;
        }
    }

    private static Set<String> usedFields(MailContent content) {
        Set<String> used = new HashSet<>(content.subject().fieldNames());
        used.addAll(content.html().fieldNames());
        used.addAll(content.text().fieldNames());
        for (MailHeader header : content.headers()) {
            used.addAll(header.value().fieldNames());
        }
        return used;
    }
}
