package org.azuremail.field;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The fields of lists: the row {@code <list>}/{@code fields} of the table {@code mailinglist}. It is separate from the
 * list's own row, where an older process that saves the list would lose the fields. The names of fields are attributes
 * of the list, too; an attribute without a field is text. Safe for use from many threads and processes.
 */
public record FieldStore(TableStore tables, ListStore lists, Time time) {

    /** The longest definitions of a list together, in characters of JSON. */
    static final int MAX_JSON = 30_000;

    private static final String KEY = "fields";

    /** Marks a list whose removed fields are still attributes. */
    private static final String UNSETTLED = "Unsettled";

    private static final String FORMER_DAYS = "FormerDays";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final ObjectReader FIELDS = JSON.readerFor(new TypeReference<List<Field>>() {});
    private static final ObjectReader NAMES = JSON.readerFor(new TypeReference<TreeSet<String>>() {});

    /** The result of changing fields. */
    public sealed interface FieldSaveResult {
        record Done(ListFields now) implements FieldSaveResult {}

        /** Nothing changed, because another person saved first. */
        record Conflict() implements FieldSaveResult {}

        /** The list would have too many fields, or their definitions are too long together; nothing changed. */
        record TooMuch() implements FieldSaveResult {}

        /** A new field has the name of a removed one whose values are still being removed; nothing changed. */
        record BeingRemoved(String name) implements FieldSaveResult {}
    }

    /** Returns the fields of a list; one read. */
    public ListFields of(MailingList list) {
        return fields(list, row(list.name())).value();
    }

    /**
     * Returns the fields of a list with their ETag, which is empty if they have never been changed. The list is read
     * after them, so a field that was deleted before is not an attribute any more.
     */
    public Versioned<ListFields> find(MailingList list) {
        Optional<Row> row = row(list.name());
        return fields(latest(list), row);
    }

    private MailingList latest(MailingList list) {
        return lists.findValue(list.name()).orElse(list);
    }

    private static Versioned<ListFields> fields(MailingList list, Optional<Row> found) {
        return found.map(row -> new Versioned<>(fields(row.values()).withUndefined(attributes(list, row)), row.etag()))
                .orElseGet(() -> new Versioned<>(ListFields.NONE.withUndefined(list.attributes()), ""));
    }

    private static Set<String> attributes(MailingList list, Row row) {
        Set<String> names = new TreeSet<>(list.attributes());
        if (row.values().bool(UNSETTLED, false)) {
            names.removeAll(fields(row.values()).removed());
        }
        return names;
    }

    /**
     * Saves fields that were read with this ETag. A change that affects the rows of subscribers gets a higher revision
     * than any before, even than that of a deleted list with the same name.
     */
    public FieldSaveResult save(MailingList older, ListFields changed, String etag) {
        completeSave(older.name());
        Optional<Row> row = row(older.name());
        MailingList list = latest(older);
        Versioned<ListFields> before = fields(list, row);
        if (!before.etag().equals(etag)) {
            return new FieldSaveResult.Conflict();
        }
        ListFields next = next(before.value(), changed, list.attributes());
        TreeSet<String> names = new TreeSet<>(list.attributes());
        next.customFields().forEach(field -> names.add(field.name()));
        if (names.size() > MailingList.MAX_ATTRIBUTES
                || next.index().types().size() > ListFields.MAX_SEARCHABLE
                || JSON.writeValueAsString(next.fields()).length() > MAX_JSON) {
            return new FieldSaveResult.TooMuch();
        }
        // Add only new names: a field that is deleted before this write must not return.
        names.removeIf(name -> before.value().find(name).isPresent());
        lists.addAttributes(list.name(), names);
        Saved<ListFields> saved = ConditionalWrites.put(
                tables,
                ListStore.TABLE,
                key(list.name()),
                values(next).with(UNSETTLED, before.value().removed().containsAll(next.removed()) ? null : true),
                etag.isEmpty() ? Optional.empty() : Optional.of(before),
                FieldStore::fields);
        completeSave(list.name());
        return saved.done()
                .<FieldSaveResult>map(now -> new FieldSaveResult.Done(now.value()))
                .orElseGet(FieldSaveResult.Conflict::new);
    }

    /** Removes the attributes of removed fields. This also completes an interrupted save. */
    public void completeSave(ListName list) {
        row(list).filter(row -> row.values().bool(UNSETTLED, false)).ifPresent(row -> {
            fields(row.values())
                    .removed()
                    .forEach(name ->
                            lists.removeAttribute(list, name, () -> row(list).equals(Optional.of(row))));
            tables.write(
                    ListStore.TABLE,
                    list.value(),
                    Write.replace(row, row.values().with(UNSETTLED, null)));
        });
    }

    /** Returns the key of a list's fields. */
    public static Key key(ListName list) {
        return new Key(list.value(), KEY);
    }

    /** Returns the fields to save. A removed field that is an attribute again was brought back by an import. */
    private ListFields next(ListFields before, ListFields changed, Set<String> attributes) {
        Set<String> removed = new TreeSet<>(changed.removed());
        removed.removeIf(name -> before.removed().contains(name) && attributes.contains(name));
        boolean sameRows = removed.equals(before.removed())
                && changed.index().types().equals(before.index().types())
                && changed.fields().stream().allMatch(field -> before.find(field.name())
                        .map(old -> old.isCompatibleWith(field))
                        .orElse(true));
        long revision = sameRows
                ? before.revision()
                : Math.max(before.revision() + 1, time.instant().toEpochMilli());
        return new ListFields(changed.fields(), removed, formerDays(before, changed), revision);
    }

    private static Set<String> formerDays(ListFields before, ListFields changed) {
        return changed.fields().stream()
                .filter(field -> field.type() != FieldType.MONTH_DAY)
                .map(Field::name)
                .filter(name -> before.of(name).type() == FieldType.MONTH_DAY
                        || before.formerDays().contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Records that the values of all subscribers have the form of the fields of this revision. */
    public void recordConverted(ListName list, long revision) {
        row(list)
                .filter(row -> row.values().number("Revision", 0) == revision
                        && row.values().string(FORMER_DAYS) != null)
                .ifPresent(row -> tables.write(
                        ListStore.TABLE,
                        list.value(),
                        Write.replace(row, row.values().with(FORMER_DAYS, null))));
    }

    public static String json(Field field) {
        return JSON.writeValueAsString(field);
    }

    /** Reads a field that {@link #json} wrote. */
    public static Field field(String json) {
        try {
            return JSON.readValue(json, Field.class);
        } catch (JacksonException e) {
            throw new StorageException(StorageException.Reason.CORRUPT, "a field", e);
        }
    }

    private Optional<Row> row(ListName list) {
        return tables.get(ListStore.TABLE, key(list));
    }

    private static Values values(ListFields fields) {
        return Values.builder()
                .put("Fields", JSON.writeValueAsString(fields.fields()))
                .put("Removed", json(fields.removed()))
                .put(FORMER_DAYS, json(fields.formerDays()))
                .put("Revision", fields.revision())
                .build();
    }

    private static @Nullable String json(Set<String> names) {
        return names.isEmpty() ? null : JSON.writeValueAsString(names);
    }

    private static ListFields fields(Values values) {
        try {
            List<Field> fields = FIELDS.readValue(values.requireString("Fields"));
            return new ListFields(
                    fields,
                    NAMES.readValue(values.string("Removed", "[]")),
                    NAMES.readValue(values.string(FORMER_DAYS, "[]")),
                    values.number("Revision", 0));
        } catch (JacksonException e) {
            throw new StorageException(StorageException.Reason.CORRUPT, "fields of a list", e);
        }
    }
}
