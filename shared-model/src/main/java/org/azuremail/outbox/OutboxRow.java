package org.azuremail.outbox;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one mail does not share with others.
 *
 * @param content the name under which {@link OutboxContents} has the rest
 */
record OutboxRow(String id, Instant sentAt, Mail mail, String content) {

    /** The most characters of values that a row takes. */
    static final int MAX_FIELDS = 8 * Values.MAX_STRING_LENGTH;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, String>> FIELDS = new TypeReference<>() {};

    /**
     * The values that the content asks for; no others are kept.
     *
     * @throws IllegalArgumentException when they do not fit into a row
     */
    static String fields(Mail mail, Set<String> used) {
        Map<String, String> fields = new TreeMap<>(mail.fields());
        fields.keySet().retainAll(used);
        String json = JSON.writeValueAsString(fields);
        if (json.length() > MAX_FIELDS) {
            throw new IllegalArgumentException("the values of one mail have more than " + MAX_FIELDS + " characters");
        }
        return json;
    }

    /** Makes the mail's row and the one that finds it by its recipient. */
    List<Write> inserts(String fields) {
        Values.Builder values = Values.builder()
                .put("SentAt", sentAt)
                .put("EmailAddress", mail.to().address().value())
                .put("Name", mail.to().name())
                .put("MessageId", mail.messageId())
                .put("Content", content);
        for (int from = 0; from < fields.length(); from += Values.MAX_STRING_LENGTH) {
            int end = Math.min(fields.length(), from + Values.MAX_STRING_LENGTH);
            values.put("Fields" + from / Values.MAX_STRING_LENGTH, fields.substring(from, end));
        }
        return List.of(Write.insert(mailKey(), values.build()), Write.insert(recipientKey(), Values.none()));
    }

    /** Removes both rows. */
    List<Write> deletes() {
        return List.of(Write.delete(mailKey()), Write.delete(recipientKey()));
    }

    private String mailKey() {
        return OutboxKeys.mail(id);
    }

    private String recipientKey() {
        return OutboxKeys.recipient(mail.to().address()) + id;
    }

    static OutboxRow of(Row row) {
        Values values = row.values();
        StringBuilder fields = new StringBuilder();
        for (int i = 0; values.string("Fields" + i) != null; i++) {
            fields.append(values.string("Fields" + i));
        }
        Mailbox to = new Mailbox(new EmailAddress(values.requireString("EmailAddress")), values.string("Name", ""));
        Mail mail = new Mail(to, values.requireString("MessageId"), JSON.readValue(fields.toString(), FIELDS));
        return new OutboxRow(
                OutboxKeys.idOf(row.rowKey()), values.requireInstant("SentAt"), mail, values.requireString("Content"));
    }
}
