package org.azuremail.web.eventlog;

import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.web.layout.FieldLabel;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;
import org.springframework.web.util.UriComponentsBuilder;

/** The events that a person asks for, as typed; times are in the zone of the installation. */
record EventForm(
        @Nullable String since,
        @Nullable String until,
        @Nullable String level,
        @Nullable String process,
        @Nullable String words) {

    /** Of warnings and errors unless chosen otherwise. */
    @Override
    public String level() {
        return typed(level).isEmpty() ? EventLevel.WARNING.word() : typed(level);
    }

    /** Returns whether nothing but a level was chosen; called by the page. */
    public boolean open() {
        return (typed(since) + typed(until) + typed(process) + typed(words)).isEmpty();
    }

    /** Returns the address of the page with the same choice. */
    URI address() {
        return UriComponentsBuilder.fromPath("/events")
                .query("since={since}&until={until}&level={level}&process={process}&words={words}")
                .encode()
                .buildAndExpand(typed(since), typed(until), level(), typed(process), typed(words))
                .toUri();
    }

    /** @return the filter; one for all events when something was wrong, which is among the errors then */
    EventFilter read(ZoneId zone, BindingResult errors) {
        Instant first = moment("since", typed(since), zone, errors);
        Instant end = moment("until", typed(until), zone, errors);
        Optional<EventLevel> least = EventLevel.parse(level());
        if (least.isEmpty()) {
            errors.rejectValue("level", "error.events.level");
        }
        if (first != null && end != null && !first.isBefore(end)) {
            errors.rejectValue("until", "error.events.order");
        }
        limit("process", typed(process), errors);
        limit("words", typed(words), errors);
        return errors.hasErrors()
                ? EventFilter.atLeast(EventLevel.ERROR)
                : new EventFilter(first, end, least.orElseThrow(), typed(process), typed(words));
    }

    private static void limit(String field, String typed, BindingResult errors) {
        if (typed.length() > EventFilter.LONGEST) {
            errors.rejectValue(field, "error.line", new Object[] {EventFilter.LONGEST, FieldLabel.of(field)}, null);
        }
    }

    private static @Nullable Instant moment(String field, String typed, ZoneId zone, BindingResult errors) {
        if (typed.isEmpty()) {
            return null;
        }
        try {
            LocalDateTime local = typed.contains("T")
                    ? LocalDateTime.parse(typed)
                    : LocalDate.parse(typed).atStartOfDay();
            return local.atZone(zone).toInstant();
        } catch (DateTimeException noMoment) {
            errors.rejectValue(field, "error.events.moment", new Object[] {FieldLabel.of(field)}, null);
            return null;
        }
    }

    private static String typed(@Nullable String value) {
        return value == null ? "" : value.strip();
    }
}
