package org.azuremail.web.api.operations;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.storage.Page;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.download.StreamedBody;
import org.azuremail.web.eventlog.EventFile;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The events of all processes, exactly as the page Events shows them. */
@RestController
@RequestMapping("/api/v1/events")
record EventApi(EventLog log, EventFile file) {

    private static final int MAX_PAGE = 100;
    private static final String A_MOMENT = "Use a date and time with an offset, as 2026-11-21T16:00:00Z.";

    /**
     * @param since the beginning of the period, with an offset; by default, the beginning of the log
     * @param until the end of the period, with an offset; by default, now
     * @param level the lowest level; {@code warning} by default
     */
    record Wanted(
            @Nullable String since,
            @Nullable String until,
            @Nullable String level,
            @Nullable String process,
            @Nullable String text) {

        EventFilter read(RequestFields fields) {
            Optional<Instant> first = moment("since", since, fields);
            Optional<Instant> end = moment("until", until, fields);
            if (first.isPresent() && end.isPresent() && !first.get().isBefore(end.get())) {
                fields.refuse("until", "Use a time later than since.");
            }
            EventLevel least = fields.optional("level", level, EventLevel::parse, "Use info, warning or error.")
                    .orElse(EventLevel.WARNING);
            return new EventFilter(
                    first.orElse(null),
                    end.orElse(null),
                    least,
                    part("process", process, fields),
                    part("text", text, fields));
        }

        private static Optional<Instant> moment(String field, @Nullable String typed, RequestFields fields) {
            return fields.optional(field, typed, RequestFields.parsed(OffsetDateTime::parse), A_MOMENT)
                    .map(OffsetDateTime::toInstant);
        }

        private static String part(String field, @Nullable String typed, RequestFields fields) {
            String part = typed == null ? "" : typed;
            if (part.length() > EventFilter.MAX_LENGTH) {
                fields.refuse(field, "Use at most " + EventFilter.MAX_LENGTH + " characters.");
            }
            return part;
        }
    }

    /** Returns the events, newest first. A page may have few items or none and still have a cursor. */
    @GetMapping
    Items<EventFile.Line> all(Wanted wanted, Paging paging) {
        RequestFields fields = new RequestFields();
        EventFilter filter = wanted.read(fields);
        paging.check(fields, MAX_PAGE);
        fields.check();
        Page<EventLog.Entry> page =
                paging.page((limit, from) -> log.newest(limit, filter, from == null ? null : entry(from)));
        String older = page.continuation();
        return paging.items(
                page.items().stream()
                        .map(logged -> EventFile.Line.of(logged, null))
                        .toList(),
                older == null ? null : older.replace('/', '.'));
    }

    /** Streams the events as a file with all details, oldest first. */
    @GetMapping("/file")
    ResponseEntity<StreamedBody> download(Wanted wanted, @RequestParam(defaultValue = "ndjson") String format) {
        RequestFields fields = new RequestFields();
        EventFilter filter = wanted.read(fields);
        Optional<EventFile.Format> known =
                fields.required("format", format, EventFile.Format::parse, "Use ndjson or text.");
        fields.check();
        return file.answer(filter, known.orElseThrow());
    }

    @GetMapping("/{id}")
    EventFile.Line one(@PathVariable String id) {
        EventLog.Entry logged = log.find(entry(id))
                .orElseThrow(() -> RefusedCall.notFound("The event " + id + " is no longer in the log."));
        return EventFile.Line.of(logged, logged.event().details());
    }

    /** Returns the log's id of an entry. In an address, ids have dots instead of slashes. */
    private static String entry(String id) {
        return id.replace('.', '/');
    }
}
