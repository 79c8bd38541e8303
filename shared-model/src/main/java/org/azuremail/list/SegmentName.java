package org.azuremail.list;

import java.util.Locale;
import java.util.Optional;

/** The name of a segment of a list: as a list's name, and like that it never changes. */
public record SegmentName(String value) {

    public SegmentName {
        value = value.toLowerCase(Locale.ROOT);
        if (ListName.parse(value).isEmpty()) {
            throw new IllegalArgumentException(ListName.RULE);
        }
    }

    public static Optional<SegmentName> parse(String text) {
        return ListName.parse(text).map(name -> new SegmentName(name.value()));
    }

    @Override
    public String toString() {
        return value;
    }
}
