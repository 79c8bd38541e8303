package org.azuremail.subscription.subscriber;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.field.Field.FieldReason;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;

/**
 * The data about a person besides the address.
 *
 * @param name one line, may be empty
 * @param attributes by name; values without control characters other than line breaks and tabs
 */
public record Profile(String name, Map<String, String> attributes) {

    public static final Profile NONE = new Profile("", Map.of());

    /** The longest value of an attribute, in characters. */
    public static final int MAX_VALUE = 1000;

    /** The most characters of all values together, so that their JSON fits one property of a row. */
    public static final int MAX_TOTAL = 12_000;

    /** The reasons why no profile can have these values. Rows contain these names. */
    public enum ProfileReason implements Reason.Code {
        /** The parameter is the most characters. */
        PERSON_NAME,
        /** The parameter is the most attributes. */
        PERSON_ATTRIBUTES,
        /** The parameter is the name of an attribute. */
        PERSON_ATTRIBUTE,
        /** The parameter is the most characters of all attributes together. */
        PERSON_VALUES
    }

    /** Reports why no profile can have these values. */
    public static final class InvalidProfileException extends IllegalArgumentException {

        private final transient Reason reason;

        private InvalidProfileException(Reason.Code code, Object... values) {
            super(Reason.of(code, values).words());
            this.reason = Reason.of(code, values);
        }

        public Reason reason() {
            return reason;
        }
    }

    /** @throws InvalidProfileException if a value is too long or contains invalid characters */
    public Profile {
        if (!MailingList.isLine(name)) {
            throw new InvalidProfileException(ProfileReason.PERSON_NAME, MailingList.MAX_LINE);
        }
        if (attributes.size() > MailingList.MAX_ATTRIBUTES) {
            throw new InvalidProfileException(ProfileReason.PERSON_ATTRIBUTES, MailingList.MAX_ATTRIBUTES);
        }
        attributes.forEach(Profile::requireAttribute);
        if (attributes.values().stream().mapToInt(String::length).sum() > MAX_TOTAL) {
            throw new InvalidProfileException(ProfileReason.PERSON_VALUES, MAX_TOTAL);
        }
        attributes = attributes.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /** Returns this profile with the values of the newer one, apart from blank ones. */
    public Profile mergedWith(Profile newer) {
        if (newer.attributes.isEmpty()) {
            return newer.name.isBlank() ? this : new Profile(newer.name, attributes);
        }
        Map<String, String> merged = new TreeMap<>(attributes);
        newer.attributes.forEach((key, value) -> {
            if (!value.isBlank()) {
                merged.put(key, value);
            }
        });
        return new Profile(newer.name.isBlank() ? name : newer.name, merged);
    }

    private static void requireAttribute(String key, String value) {
        if (!MailingList.isAttribute(key)) {
            throw new InvalidProfileException(ProfileReason.PERSON_ATTRIBUTE, key);
        }
        if (value.length() > MAX_VALUE) {
            throw new InvalidProfileException(FieldReason.FIELD_LONG, key, MAX_VALUE);
        }
        if (!MailingList.isText(value)) {
            throw new InvalidProfileException(FieldReason.FIELD_CONTROL_CHARACTER, key);
        }
    }
}
