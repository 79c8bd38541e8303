package org.azuremail.list;

import org.azuremail.storage.Values;

/**
 * A part of a list's subscribers, selected by rules that are applied whenever it is used.
 *
 * @param description text for people; one line, may be empty
 * @param rules as JSON, which the package {@code segment} reads
 */
public record Segment(ListName list, SegmentName name, String description, String rules) {

    /** The longest rules, in characters: half of what fits one property of a row. */
    public static final int MAX_RULES_LENGTH = 16_000;

    public Segment {
        if (!MailingList.isLine(description)) {
            throw new IllegalArgumentException("the description is one line of at most " + MailingList.MAX_LINE);
        }
        if (rules.length() > MAX_RULES_LENGTH) {
            throw new IllegalArgumentException("the rules have at most " + MAX_RULES_LENGTH + " characters");
        }
    }

    public String title() {
        return description.isBlank() ? name.value() : description.strip();
    }

    static Segment from(ListName list, String name, Values v) {
        return new Segment(list, new SegmentName(name), v.string("Description", ""), v.requireString("Rules"));
    }

    Values toValues() {
        return Values.builder()
                .put("Description", description)
                .put("Rules", rules)
                .build();
    }
}
