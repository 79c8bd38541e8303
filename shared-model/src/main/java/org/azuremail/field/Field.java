package org.azuremail.field;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * One field of a list.
 *
 * @param name the name for merge fields, files and the API; never changes
 * @param label the name for people; one line
 * @param options the options of a choice, in their order; empty for other types
 * @param searchable whether subscribers can be found and sorted by it, once they are indexed
 * @param changeable whether subscribers may change it themselves
 */
public record Field(
        String name, String label, FieldType type, List<String> options, boolean searchable, boolean changeable) {

    /** The field that every list has: a subscriber's name. */
    public static final String NAME = "name";

    /** The longest value, in characters. */
    public static final int MAX_VALUE = 1000;

    public static final int MAX_OPTIONS = 50;
    public static final int MAX_OPTION = 100;

    /** The names of the emails' own merge fields and of the columns of exports. */
    private static final Set<String> RESERVED =
            Set.of("email name list list-address unsubscribe preferences confirm state verified created_at left_at"
                    .split(" "));

    public Field {
        options = List.copyOf(options);
        Assert.isTrue(MailingList.isAttribute(name), "a field's name has lower-case letters, digits, _ and -");
        Assert.isTrue(!label.isBlank() && MailingList.isLine(label), "a field's label is one line");
        Assert.isTrue(
                type == FieldType.CHOICE ? areOptions(options) : options.isEmpty(),
                "a choice has options, and no other field has");
    }

    /** Returns a field without a definition, such as a column of an import. */
    public static Field text(String name) {
        String label =
                StringUtils.capitalize(name.replace('_', ' ').replace('-', ' ').strip());
        return new Field(name, label.isEmpty() ? name : label, FieldType.TEXT, List.of(), false, false);
    }

    /** Returns whether an admin may give a field this name. */
    public static boolean isFree(String name) {
        return MailingList.isAttribute(name) && !RESERVED.contains(name);
    }

    /** Returns whether a choice may have these options, which must differ by more than case. */
    public static boolean areOptions(List<String> options) {
        Set<String> different = new HashSet<>();
        return !options.isEmpty()
                && options.size() <= MAX_OPTIONS
                && options.stream()
                        .allMatch(option -> !option.isBlank()
                                && option.equals(option.strip())
                                && option.length() <= MAX_OPTION
                                && MailingList.isLine(option)
                                && different.add(option.toLowerCase(Locale.ROOT)));
    }

    /** Checks a value that is not blank. */
    public FieldValue parse(String typed) {
        String value = typed.strip();
        if (value.length() > MAX_VALUE) {
            return refused(FieldReason.FIELD_LONG, MAX_VALUE);
        }
        if (!MailingList.isText(value)) {
            return refused(FieldReason.FIELD_CONTROL_CHARACTER);
        }
        Optional<String> stored = type == FieldType.CHOICE ? option(value) : type.stored(value);
        return stored.<FieldValue>map(FieldValue.Valid::new)
                .orElseGet(() -> refused(type.refusal(), String.join(", ", options)));
    }

    /**
     * Returns a value that was typed into an input of one line, from which browsers remove line breaks; the stored
     * value if nothing else is different.
     */
    public static String keepingLineBreaks(String typed, String stored) {
        return typed.equals(stored.replace("\n", "").strip()) ? stored : typed;
    }

    /** Returns whether every value of this field fits the other one, in the same stored form. */
    public boolean isCompatibleWith(Field other) {
        return type == other.type && other.options.containsAll(options);
    }

    /** Returns the option as typed, or else the first one that differs only in case: to Java, ı and i do. */
    private Optional<String> option(String value) {
        return options.contains(value)
                ? Optional.of(value)
                : options.stream().filter(value::equalsIgnoreCase).findFirst();
    }

    private FieldValue refused(FieldReason reason, Object... values) {
        Object[] all = Stream.concat(Stream.of(label), Stream.of(values)).toArray();
        return new FieldValue.Invalid(Reason.of(reason, all));
    }

    /** The result of reading a text as a field's value. */
    public sealed interface FieldValue {

        /**
         * The value fits.
         *
         * @param stored the value's canonical form in rows, which reads as itself
         */
        record Valid(String stored) implements FieldValue {}

        record Invalid(Reason reason) implements FieldValue {}
    }

    /**
     * The reasons why a value does not fit a field. Rows contain these names; the first parameter of each is the
     * field's label.
     */
    public enum FieldReason implements Reason.Code {
        FIELD_LONG,
        FIELD_CONTROL_CHARACTER,
        FIELD_NOT_A_NUMBER,
        FIELD_NOT_YES_OR_NO,
        FIELD_NOT_A_DATE,
        FIELD_NOT_A_MONTH_AND_DAY,
        FIELD_NOT_AN_OPTION
    }
}
