package org.azuremail.list;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/** A list as a row; its index row holds the same properties. */
final class ListRow {

    static final String KEY = "mailinglist";
    static final String INDEX_PARTITION = ".lists";

    private ListRow() {}

    static Values values(MailingList list) {
        return Values.builder()
                .put("Description", list.description())
                .put("FromEmailAddress", list.fromEmail().value())
                .put("FromName", list.fromName())
                .put("ReplyTo", text(list.replyTo()))
                .put("Transport", list.transport())
                .put("Language", list.language())
                .put("OptIn", list.optIn().stored())
                .put("Shards", list.shards())
                .put("Attributes", String.join(",", list.attributes()))
                .put("CreatedAt", list.createdAt())
                .put("Deleting", list.deleting())
                .build();
    }

    static Versioned<MailingList> list(ListName name, Row row) {
        return new Versioned<>(list(name, row.values()), row.etag());
    }

    static MailingList list(ListName name, Values values) {
        String replyTo = values.string("ReplyTo");
        return new MailingList(
                name,
                values.string("Description", ""),
                new EmailAddress(values.requireString("FromEmailAddress")),
                values.string("FromName", ""),
                replyTo == null ? null : new EmailAddress(replyTo),
                values.string("Transport"),
                values.string("Language", MailingList.DEFAULT_LANGUAGE),
                OptIn.parse(values.string("OptIn", "")).orElse(OptIn.DOUBLE),
                values.integer("Shards", MailingList.DEFAULT_SHARDS),
                attributes(values.string("Attributes", "")),
                values.requireInstant("CreatedAt"),
                values.bool("Deleting", false));
    }

    private static SortedSet<String> attributes(String joined) {
        return Arrays.stream(joined.split(","))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static @Nullable String text(@Nullable EmailAddress address) {
        return address == null ? null : address.value();
    }
}
