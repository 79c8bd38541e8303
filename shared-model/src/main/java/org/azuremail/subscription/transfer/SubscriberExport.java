package org.azuremail.subscription.transfer;

import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;

/** A list as a CSV file that can be imported again: everybody, in whatever state, shard by shard. */
public final class SubscriberExport {

    private static final int PAGE = 1000;

    private final SubscriptionStore store;

    SubscriberExport(SubscriptionStore store) {
        this.store = store;
    }

    /** Writes the file as the list is read; a list of any size takes the same memory. */
    public void write(MailingList list, Writer out) throws IOException {
        CsvOut csv = new CsvOut(out);
        csv.row(header(list));
        for (int shard = 0; shard < list.shards(); shard++) {
            writeShard(list, shard, csv);
        }
        csv.flush();
    }

    private void writeShard(MailingList list, int shard, CsvOut csv) throws IOException {
        String after = null;
        do {
            SubscriptionStore.ShardPage page = store.shardPage(list.name(), shard, after, PAGE);
            for (Subscriber subscriber : page.subscribers()) {
                csv.row(row(list, subscriber));
            }
            after = page.lastRowKey();
        } while (after != null);
    }

    private static List<String> header(MailingList list) {
        List<String> header = new ArrayList<>(List.of("email", "name", "state", "verified", "created_at", "left_at"));
        header.addAll(attributes(list));
        return header;
    }

    private static List<String> row(MailingList list, Subscriber subscriber) {
        List<String> row = new ArrayList<>(List.of(
                subscriber.address().value(),
                subscriber.profile().name(),
                subscriber.state().stored(),
                Boolean.toString(subscriber.verified()),
                subscriber.createdAt().toString(),
                text(subscriber.bookkeeping().leftAt())));
        for (String attribute : attributes(list)) {
            row.add(subscriber.profile().attributes().getOrDefault(attribute, ""));
        }
        return row;
    }

    /** What this file says by itself is not said twice. */
    private static List<String> attributes(MailingList list) {
        return list.attributes().stream()
                .filter(name -> !ImportColumns.OF_EXPORTS.contains(name))
                .toList();
    }

    private static String text(@Nullable Instant instant) {
        return Optional.ofNullable(instant).map(Instant::toString).orElse("");
    }
}
