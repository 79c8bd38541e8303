package org.azuremail.subscription.index;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.field.Field;
import org.azuremail.field.Field.FieldValue;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Key;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.ColumnJson;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Counts the values of a field that would not fit it after a change. The count is in the row
 * {@code <list>}/{@code fits} and advances page by page; a new count of the list replaces it.
 */
public record MisfitCounter(
        TableStore tables, SubscriptionStore subscribers, ListStore lists, FieldStore fields, Time time) {

    static final int MAX_EXAMPLES = 20;

    private static final String KEY = "fits";
    private static final int PAGE = 1000;
    private static final int MAX_EXAMPLE_LENGTH = 100;

    /**
     * The state of a count.
     *
     * @param values the number of subscribers with a value
     * @param misfits the number of values that do not fit
     * @param examples the first values that do not fit, by address
     * @param finishedAt {@code null} while the count is under way
     */
    public record MisfitCount(
            Field field,
            long rows,
            long values,
            long misfits,
            Map<String, String> examples,
            @Nullable Instant finishedAt) {}

    public Optional<MisfitCount> find(ListName list) {
        return row(list).map(MisfitCounter::fit);
    }

    void begin(ListName list, Field changed) {
        tables.write(ListStore.TABLE, list.value(), Write.upsert(KEY, Values.of("Field", FieldStore.json(changed))));
    }

    static Key key(ListName list) {
        return new Key(list.value(), KEY);
    }

    /** @return whether subscribers are left to count */
    boolean advance(ListName name, Duration until) {
        Optional<MailingList> list = lists.findActive(name);
        Optional<Row> row = unfinished(name);
        while (list.isPresent() && row.isPresent()) {
            if (time.elapsed().compareTo(until) >= 0) {
                return true;
            }
            tables.write(
                    ListStore.TABLE,
                    name.value(),
                    Write.replace(row.get(), next(list.get(), row.get().values())));
            row = unfinished(name);
        }
        return false;
    }

    private Optional<Row> unfinished(ListName list) {
        return row(list).filter(row -> row.values().instant("FinishedAt") == null);
    }

    private Values next(MailingList list, Values values) {
        int shard = values.integer("Shard", 0);
        if (shard >= list.shards()) {
            return values.with("FinishedAt", time.instant());
        }
        Page<Subscriber> page = subscribers.shardPage(list.name(), shard, values.string("After"), PAGE);
        Field field = FieldStore.field(values.requireString("Field"));
        FieldType before = fields.of(list).of(field.name()).type();
        List<String> examples = new ArrayList<>(ColumnJson.cells(values.string("Examples", "[]")));
        long having = 0;
        long misfits = 0;
        for (Subscriber subscriber : page.items()) {
            String value = before.plain(subscriber.profile().attributes().getOrDefault(field.name(), ""));
            having += value.isBlank() ? 0 : 1;
            if (!value.isBlank() && field.parse(value) instanceof FieldValue.Invalid) {
                misfits++;
                if (examples.size() < 2 * MAX_EXAMPLES) {
                    examples.add(subscriber.address().value());
                    examples.add(Reason.truncate(value, MAX_EXAMPLE_LENGTH));
                }
            }
        }
        return values.with("Shard", page.last() ? shard + 1 : shard)
                .with("After", page.continuation())
                .with("Rows", values.number("Rows", 0) + page.items().size())
                .with("Values", values.number("Values", 0) + having)
                .with("Misfits", values.number("Misfits", 0) + misfits)
                .with("Examples", ColumnJson.write(examples));
    }

    private Optional<Row> row(ListName list) {
        return tables.get(ListStore.TABLE, list.value(), KEY);
    }

    private static MisfitCount fit(Row row) {
        Values values = row.values();
        List<String> cells = ColumnJson.cells(values.string("Examples", "[]"));
        Map<String, String> examples = new LinkedHashMap<>();
        for (int i = 0; i + 1 < cells.size(); i += 2) {
            examples.put(cells.get(i), cells.get(i + 1));
        }
        return new MisfitCount(
                FieldStore.field(values.requireString("Field")),
                values.number("Rows", 0),
                values.number("Values", 0),
                values.number("Misfits", 0),
                examples,
                values.instant("FinishedAt"));
    }
}
