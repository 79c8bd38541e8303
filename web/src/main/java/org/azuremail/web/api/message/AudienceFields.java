package org.azuremail.web.api.message;

import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Audience;
import org.azuremail.web.api.Fields;
import org.jspecify.annotations.Nullable;

/** The audience of a message in the fields of a call: a {@code list}, a {@code segment} of it, or several {@code lists}. */
final class AudienceFields {

    private static final String MOST = "A message goes to 1 to " + Audience.MOST_LISTS + " lists.";
    private static final String EITHER = "Give either list or lists.";
    private static final String OF_ONE = "A segment belongs to one list.";

    private AudienceFields() {}

    /** @param old of the message that is changed; {@code null} for a new one */
    static Optional<Audience> read(
            Fields fields,
            @Nullable String list,
            @Nullable List<String> lists,
            @Nullable String segment,
            @Nullable Audience old) {
        if (old != null && list == null && lists == null && segment == null) {
            return Optional.of(old);
        }
        if (list != null && lists != null) {
            fields.refuse("lists", EITHER);
            return Optional.empty();
        }
        Optional<SegmentName> part = fields.optional("segment", blank(segment), SegmentName::parse, ListName.RULE);
        if (lists != null) {
            return several(fields, lists, part.isPresent());
        }
        String name = list == null && old != null ? old.list().value() : list;
        return fields.required("list", name, ListName::parse, ListName.RULE)
                .map(one -> Audience.of(one, part.orElse(null)));
    }

    /** An empty one means the whole list. */
    private static @Nullable String blank(@Nullable String segment) {
        return segment == null || segment.isBlank() ? null : segment;
    }

    private static Optional<Audience> several(Fields fields, List<String> lists, boolean segment) {
        List<ListName> names = lists.stream()
                .flatMap(name -> fields.required("lists", name, ListName::parse, ListName.RULE).stream())
                .distinct()
                .toList();
        if (segment) {
            fields.refuseUnlessRefused("segment", OF_ONE);
        }
        if (names.isEmpty() || names.size() > Audience.MOST_LISTS) {
            fields.refuseUnlessRefused("lists", MOST);
            return Optional.empty();
        }
        return Optional.of(Audience.of(names));
    }
}
