package org.azuremail.sender;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.jspecify.annotations.Nullable;

/**
 * A list with so many subscribers that their rows are built when they are read. Each row equals one that the product
 * writes.
 */
final class Crowd implements TableStore {

    private static final String ROWS = "email:u";
    private static final int DIGITS = 7;

    private final TableStore real;
    private final String partitions;
    private final Values example;
    private final List<int[]> shards;

    /** @param example the row of a subscriber of another list */
    Crowd(TableStore real, MailingList list, int subscribers, Values example) {
        this.real = real;
        this.partitions = list.name().value() + ".";
        this.example = example;
        List<IntStream.Builder> numbers = new ArrayList<>();
        IntStream.range(0, list.shards()).forEach(shard -> numbers.add(IntStream.builder()));
        for (int number = 1; number <= subscribers; number++) {
            numbers.get(list.shardOf(address(number))).add(number);
        }
        shards = numbers.stream().map(shard -> shard.build().toArray()).toList();
    }

    static EmailAddress address(int number) {
        return new EmailAddress("u%07d@bench.test".formatted(number));
    }

    /** Returns the number in an address. */
    static int number(EmailAddress address) {
        return Integer.parseInt(address.value().substring(1, 1 + DIGITS));
    }

    @Override
    public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
        String partition = String.valueOf(range.fromPartition());
        String from = String.valueOf(range.fromRow());
        boolean ours = table.equals(ListStore.TABLE) && partition.startsWith(partitions) && from.startsWith("email:");
        return ours ? page(partition, from, limit) : real.query(table, range, limit, continuation);
    }

    private Page<Row> page(String partition, String from, int limit) {
        int[] numbers = shards.get(Integer.parseInt(partition.substring(partitions.length())));
        int begin = 0;
        if (from.startsWith(ROWS)) {
            int last = Integer.parseInt(from.substring(ROWS.length(), ROWS.length() + DIGITS));
            begin = Arrays.binarySearch(numbers, last) + 1;
        }
        int end = Math.min(numbers.length, begin + limit);
        List<Row> rows = new ArrayList<>(end - begin);
        for (int i = begin; i < end; i++) {
            rows.add(row(partition, numbers[i]));
        }
        return new Page<>(rows, end == numbers.length ? null : "more");
    }

    private Row row(String partition, int number) {
        EmailAddress address = address(number);
        int shard = Integer.parseInt(partition.substring(partitions.length()));
        return new Row(new Key(partition, Recipient.rowKey(address)), "s", values(example, shard, address));
    }

    /** Returns the row of a subscriber. */
    static Values values(Values example, int shard, EmailAddress address) {
        return example.toBuilder()
                .put("EmailAddress", address.value())
                .put("SubscriberGUID", shard + ".%022d".formatted(number(address)))
                .build();
    }

    /** Returns the values that the product writes for a subscriber of another list. */
    static Values example(SimulatedProcess web, Storage storage, Instant now) {
        MailingList other = list("other", now);
        web.lists.create(other);
        EmailAddress somebody = new EmailAddress("somebody@bench.test");
        web.feature
                .subscriptions()
                .adminAdd(other.name(), somebody, new Profile("Reader", Map.of()), true, Origin.admin("test"));
        KeyRange rows = KeyRange.prefix("other." + other.shardOf(somebody), "email:");
        return Rows.all(storage.tables(), ListStore.TABLE, rows).get(0).values();
    }

    static MailingList list(String name, Instant now) {
        Mailbox from = new Mailbox(new EmailAddress("donotreply@contoso.edu"), "Contoso");
        return MailingList.of(new ListName(name), "Announcements", from, OptIn.DOUBLE, now);
    }

    @Override
    public void createTable(String table) {
        real.createTable(table);
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        return real.get(table, key);
    }

    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        return real.write(table, partition, writes);
    }
}
