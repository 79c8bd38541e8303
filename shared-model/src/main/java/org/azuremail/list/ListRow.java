package org.azuremail.list;

import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.limit.Limits;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mailclass.Plan;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/** A list as a row; its index row has the same properties. */
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
                .put("Plan", list.plan() == null ? null : list.plan().stored())
                .put("PerMinute", set(list.limits().perMinute()))
                .put("PerHour", set(list.limits().perHour()))
                .put("Color", list.brand().color())
                .put("Logo", list.brand().logo())
                .put("Address", list.brand().address())
                .put("FormerLogos", joined(list.brand().formerLogos()))
                .put("Listed", list.brand().listed() ? true : null)
                .put("Welcome", list.welcome() ? true : null)
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
                Plan.parse(values.string("Plan", "")).orElse(null),
                new Limits(0, values.integer("PerMinute", 0), values.integer("PerHour", 0), 0),
                brand(values),
                values.bool("Welcome", false),
                values.bool("Deleting", false));
    }

    private static Brand brand(Values values) {
        return new Brand(
                values.string("Color"),
                values.string("Logo"),
                values.string("Address"),
                values.string("FormerLogos", "").lines().toList(),
                values.bool("Listed", false));
    }

    private static @Nullable Integer set(int limit) {
        return limit == 0 ? null : limit;
    }

    private static @Nullable String joined(List<String> lines) {
        return lines.isEmpty() ? null : String.join("\n", lines);
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
