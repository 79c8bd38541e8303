package org.azuremail.subscription.subscriber;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.list.MailingList;

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

    public Profile {
        if (!MailingList.isLine(name)) {
            throw new IllegalArgumentException("a name is one line of at most " + MailingList.MAX_LINE + " characters");
        }
        if (attributes.size() > MailingList.MAX_ATTRIBUTES) {
            throw new IllegalArgumentException("at most " + MailingList.MAX_ATTRIBUTES + " attributes");
        }
        attributes.forEach(Profile::requireAttribute);
        if (attributes.values().stream().mapToInt(String::length).sum() > MAX_TOTAL) {
            throw new IllegalArgumentException("the attributes hold more than " + MAX_TOTAL + " characters");
        }
        attributes = attributes.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /** This profile with the values of the newer one, apart from blank ones. */
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
            throw new IllegalArgumentException("an attribute's name has lower-case letters, digits, _ and -");
        }
        if (value.length() > MAX_VALUE) {
            throw new IllegalArgumentException("the value of " + key + " is longer than " + MAX_VALUE + " characters");
        }
        if (!MailingList.isText(value)) {
            throw new IllegalArgumentException("the value of " + key + " holds a control character");
        }
    }
}
