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

/** The failures of all processes, exactly as the page Events shows them. */
@RestController
@RequestMapping("/api/v1/events")
record EventApi(EventLog log, EventFile file) {

    private static final int MAX_PAGE = 100;
    private static final String A_MOMENT = "Use a date and time with an offset, as 2026-11-21T16:00:00Z.";

    /**
     * @param since with an offset, as {@code until}; missing for as far back as the log goes
     * @param until missing for up to now
     * @param level this and above; {@code warning} when it is missing
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
                fields.refuse("until", "This is later than since.");
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

    /** Newest first. A page may have few items or none, and still a cursor. */
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

    /** Oldest first, with all details, as a file that is streamed. */
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

    /** The ids of entries contain slashes, which an address cannot contain. */
    private static String entry(String id) {
        return id.replace('.', '/');
    }
}
