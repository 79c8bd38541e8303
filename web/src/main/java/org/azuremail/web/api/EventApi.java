package org.azuremail.web.api;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.eventlog.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.eventlog.EventPage;
import org.azuremail.eventlog.LoggedEvent;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What went wrong, in any process: exactly what the page Events shows. */
@RestController
@RequestMapping("/api/v1/events")
class EventApi {

    private static final int MAX_PAGE = 100;

    private final EventLog log;

    EventApi(EventLog log) {
        this.log = log;
    }

    /** @param details all that was said; {@code null} in a listing */
    record EventBody(
            String id,
            Instant at,
            String level,
            String process,
            String source,
            String title,
            @Nullable String details) {

        static EventBody of(LoggedEvent logged, @Nullable String details) {
            return new EventBody(
                    logged.id().replace('/', '.'),
                    logged.event().at(),
                    logged.event().level().word(),
                    logged.event().process(),
                    logged.event().source(),
                    logged.event().title(),
                    details);
        }
    }

    /** Newest first, of this level and above. */
    @GetMapping
    Items<EventBody> all(
            @RequestParam(defaultValue = "warning") String level,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "100") int limit) {
        Fields fields = new Fields();
        Optional<EventLevel> least = fields.required("level", level, EventLevel::parse, "Say info, warning or error.");
        if (limit < 1 || limit > MAX_PAGE) {
            fields.refuse("limit", "Say 1 to " + MAX_PAGE + ".");
        }
        String before = cursor == null ? null : entry(cursor);
        if (before != null && !EventLog.isEntry(before)) {
            fields.refuse("cursor", "This is no cursor of ours.");
        }
        fields.check();
        EventPage page = log.newest(limit, least.orElseThrow(), before);
        String older = page.older();
        return new Items<>(
                page.events().stream().map(logged -> EventBody.of(logged, null)).toList(),
                older == null ? null : older.replace('/', '.'));
    }

    @GetMapping("/{id}")
    EventBody one(@PathVariable String id) {
        LoggedEvent logged = log.find(entry(id))
                .orElseThrow(() -> RefusedCall.notFound("The event " + id + " is not in the log, or not any more."));
        return EventBody.of(logged, logged.event().details());
    }

    /** Entries are named by slashes, which no address takes. */
    private static String entry(String id) {
        return id.replace('.', '/');
    }
}
