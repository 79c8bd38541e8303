package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;

/** Writes a list as a CSV file that can be imported again: the subscribers in every state, shard by shard. */
public record SubscriberExport(SubscriptionStore store, FieldStore fields) {

    /** Writes the file while it reads the list, so that a list of any size takes the same memory. */
    public void write(MailingList list, Writer out) throws IOException {
        List<String> columns = columns(list);
        ListFields known = fields.of(list);
        writeHeader(columns, out);
        for (int shard = 0; shard < list.shards(); shard++) {
            writeRows(columns, known, store.ofShard(list.name(), shard), out);
        }
        out.flush();
    }

    public static void writeHeader(List<String> columns, Writer out) throws IOException {
        List<String> header = new ArrayList<>(List.of("email", "name", "state", "verified", "created_at", "left_at"));
        header.addAll(columns);
        new CsvWriter(out).writeRow(header);
    }

    public static void writeRows(List<String> columns, ListFields known, Stream<Subscriber> people, Writer out)
            throws IOException {
        new CsvWriter(out).writeRows(people.map(person -> row(columns, known, person)));
    }

    private static List<String> row(List<String> columns, ListFields known, Subscriber subscriber) {
        List<String> row = new ArrayList<>(List.of(
                subscriber.address().value(),
                subscriber.profile().name(),
                subscriber.state().stored(),
                Boolean.toString(subscriber.verified()),
                subscriber.createdAt().toString(),
                Objects.toString(subscriber.bookkeeping().leftAt(), "")));
        Map<String, String> values = known.plain(subscriber.profile().attributes());
        for (String attribute : columns) {
            row.add(values.getOrDefault(attribute, ""));
        }
        return row;
    }

    public static List<String> columns(MailingList list) {
        return list.attributes().stream()
                .filter(name -> !ImportColumns.EXPORT_COLUMNS.contains(name))
                .toList();
    }
}
