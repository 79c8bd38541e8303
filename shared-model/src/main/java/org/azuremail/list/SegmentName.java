package org.azuremail.list;

import java.util.Optional;

/** The name of a segment of a list: as a list's name, and like that it never changes. */
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
