package org.azuremail.web.api.message;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.content.Layout;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.list.SegmentName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Schedule;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a new message, or the changes to a message. A missing value leaves a field unchanged. A new message
 * without {@code scheduledAt} is sent at once.
 *
 * @param draft whether a new message waits until it is released for sending; refused in a change
 */
record MessageFields(
        @Nullable String list,
        @Nullable List<String> lists,
        @Nullable String segment,
        @Nullable String subject,
        @Nullable String html,
        @Nullable String markdown,
        @Nullable String template,
        @Nullable String preview,
        @Nullable String text,
        @Nullable String scheduledAt,
        @Nullable String zone,
        @Nullable String onUnknown,
        @Nullable String mailClass,
        @Nullable Boolean draft) {

    /** @param old the audience of the message before the change; {@code null} for a new message */
    Optional<Audience> audience(RequestFields fields, @Nullable Audience old) {
        if (old != null && list == null && lists == null && segment == null) {
            return Optional.of(old);
        }
        if (list != null && lists != null) {
            fields.refuse("lists", "Send either list or lists.");
            return Optional.empty();
        }
        Optional<SegmentName> part = fields.optional("segment", segment, SegmentName::parse, ListName.RULE);
        if (lists != null) {
            return several(fields, lists, part.isPresent());
        }
        String name = list == null && old != null ? old.list().value() : list;
        return fields.required("list", name, ListName::parse, ListName.RULE)
                .map(one -> Audience.of(one, part.orElse(null)));
    }

    private static Optional<Audience> several(RequestFields fields, List<String> lists, boolean segment) {
        List<ListName> names = lists.stream()
                .flatMap(name -> fields.required("lists", name, ListName::parse, ListName.RULE).stream())
                .distinct()
                .toList();
        if (segment) {
            fields.refuseUnlessRefused("segment", "A segment belongs to one list.");
        }
        if (names.isEmpty() || names.size() > Audience.MAX_LISTS) {
            fields.refuseUnlessRefused("lists", "A message goes to 1 to " + Audience.MAX_LISTS + " lists.");
            return Optional.empty();
        }
        return Optional.of(Audience.of(names));
    }

    Optional<OnUnknown> onUnknown(RequestFields fields) {
        return fields.word("onUnknown", onUnknown, OnUnknown.class, "Use hold or resend.");
    }

    /**
     * Reads when a message is due; a missing date means now. A local time requires a zone in the same call, because any
     * default would be wrong for some callers.
     *
     * @param otherwise the zone in which the date is shown if the call names none
     */
    Optional<Schedule> schedule(RequestFields fields, ZoneId otherwise, Instant now) {
        Schedule.ParseResult read = Schedule.read(scheduledAt, zone, otherwise, now);
        if (read instanceof Schedule.ParseResult.Refused refused) {
            fields.refuse(refused.problem().field(), refused.problem().message());
            return Optional.empty();
        }
        if (isMissing(zone) && scheduledAt != null && !scheduledAt.isBlank() && Schedule.isLocal(scheduledAt)) {
            fields.refuse(
                    "zone",
                    "scheduledAt is a local time: name its time zone, as Europe/Berlin, or give scheduledAt an offset, as"
                            + " 2030-12-24T18:00:00+01:00.");
            return Optional.empty();
        }
        return Optional.of(((Schedule.ParseResult.Valid) read).schedule());
    }

    Draft draftMessage() {
        Layout usual = markdown == null ? Layout.NONE : Layout.LETTER;
        Draft plain = Draft.of(Objects.requireNonNullElse(subject, ""), Objects.requireNonNullElse(html, ""), text);
        return new Draft(plain.subject(), plain.html(), plain.text(), markdown, usual.with(template, preview));
    }

    /** Returns whether there are HTML and Markdown, of which only the Markdown would be used. */
    boolean bothSources() {
        return !isMissing(html) && markdown != null;
    }

    static boolean isMissing(@Nullable String value) {
        return value == null || value.isBlank();
    }
}
