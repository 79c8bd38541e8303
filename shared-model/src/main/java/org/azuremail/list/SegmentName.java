package org.azuremail.list;

import java.util.Optional;

/** The name of a segment of a list. The rules for names of lists apply, and like those it never changes. */
public record SegmentName(String value) {

    public SegmentName {
        value = new ListName(value).value();
    }

    public static Optional<SegmentName> parse(String text) {
        return ListName.parse(text).map(name -> new SegmentName(name.value()));
    }

    @Override
    public String toString() {
        return value;
    }
}
