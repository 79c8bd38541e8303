package org.azuremail.field;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.azuremail.field.Field.FieldValue;
import org.azuremail.reason.Reason;

/**
 * The fields of a list, in order; the first is the subscriber's name.
 *
 * @param removed fields whose values are being removed from subscribers
 * @param formerDays fields that used to have the type month and day, until all subscribers have values in the form of
 *     the new type
 * @param revision increases with each change that affects the rows of subscribers; 0 before the first one
 */
public record ListFields(List<Field> fields, Set<String> removed, Set<String> formerDays, long revision) {

    /** The most searchable fields: each has a row for every subscriber. */
    public static final int MAX_SEARCHABLE = 8;

    private static final Field NAME = new Field(Field.NAME, "Name", FieldType.TEXT, List.of(), false, true);

    /** The fields of a list without any definitions. */
    public static final ListFields NONE = new ListFields(List.of(), Set.of(), Set.of(), 0);

    public ListFields {
        List<Field> all = new ArrayList<>(fields);
        if (all.stream().noneMatch(field -> field.name().equals(Field.NAME))) {
            all.add(0, NAME);
        }
        fields = List.copyOf(all);
        removed = Set.copyOf(removed);
        formerDays = Set.copyOf(formerDays);
    }

    /**
     * The checked values of a person.
     *
     * @param stored the values that fit, in their form in rows
     * @param refused the reasons why the others do not fit
     */
    public record Checked(Map<String, String> stored, Map<String, Reason> refused) {}

    public List<Field> customFields() {
        return fields.stream().filter(field -> !field.name().equals(Field.NAME)).toList();
    }

    /** Searches in a loop, since a message to a million recipients with two values asks two million times. */
    public Optional<Field> find(String name) {
        for (Field field : fields) {
            if (field.name().equals(name)) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    /** Returns the field with this name; an undefined field is text. */
    public Field of(String name) {
        return find(name).orElseGet(() -> Field.text(name));
    }

    /** Returns the index entries of subscribers by these fields. */
    public IndexMark index() {
        Map<String, FieldType> types = new TreeMap<>();
        fields.stream().filter(Field::searchable).forEach(field -> types.put(field.name(), field.type()));
        return new IndexMark(revision, types);
    }

    /** Checks values; blank values count as missing. */
    public Checked check(Map<String, String> typed) {
        Map<String, String> stored = new TreeMap<>();
        Map<String, Reason> refused = new TreeMap<>();
        typed.forEach((name, value) -> {
            if (!value.isBlank()) {
                FieldValue read = of(name).parse(value);
                if (read instanceof FieldValue.Valid valid) {
                    stored.put(name, valid.stored());
                } else if (read instanceof FieldValue.Invalid refusal) {
                    refused.put(name, refusal.reason());
                }
            }
        });
        return new Checked(stored, refused);
    }

    /** Returns a value without the year in which a month and day was stored if the field had that type before. */
    public String withoutFormerYear(String name, String value) {
        return formerDays.contains(name) && value.startsWith("2000-") ? FieldType.MONTH_DAY.plain(value) : value;
    }

    /** Returns a value in the form of its field, if it fits. */
    public String normalize(String name, String value) {
        String bare = withoutFormerYear(name, value);
        Field field = of(name);
        return field.type() != FieldType.TEXT && field.parse(bare) instanceof FieldValue.Valid valid
                ? valid.stored()
                : bare;
    }

    /** Returns values in their form for people and emails. */
    public Map<String, String> shown(Map<String, String> stored, Locale locale) {
        Map<String, String> shown = new LinkedHashMap<>();
        stored.forEach((name, value) -> shown.put(name, of(name).type().shown(withoutFormerYear(name, value), locale)));
        return shown;
    }

    /** Returns values in their form in files and the API. */
    public Map<String, String> plain(Map<String, String> stored) {
        Map<String, String> plain = new LinkedHashMap<>();
        stored.forEach((name, value) -> plain.put(name, of(name).type().plain(withoutFormerYear(name, value))));
        return plain;
    }

    /** Returns a copy with this field, which is new or replaces the one of its name. */
    public ListFields with(Field field) {
        List<Field> all = new ArrayList<>(fields);
        all.replaceAll(old -> old.name().equals(field.name()) ? field : old);
        if (find(field.name()).isEmpty()) {
            all.add(field);
        }
        Set<String> others = new TreeSet<>(removed);
        others.remove(field.name());
        return new ListFields(all, others, formerDays, revision);
    }

    public ListFields without(String name) {
        List<Field> others =
                fields.stream().filter(field -> !field.name().equals(name)).toList();
        Set<String> more = new TreeSet<>(removed);
        more.add(name);
        return new ListFields(others, more, formerDays, revision);
    }

    /** Returns a copy with the list's attributes that are not defined as fields. */
    ListFields withUndefined(Set<String> attributes) {
        List<Field> all = new ArrayList<>(fields);
        attributes.stream()
                .filter(name -> find(name).isEmpty())
                .map(Field::text)
                .forEach(all::add);
        return new ListFields(all, removed, formerDays, revision);
    }
}
