package org.azuremail.web.eventlog;

import static org.azuremail.web.layout.FormErrors.stripped;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.storage.Page;
import org.azuremail.web.download.StreamedBody;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.PageNotFoundException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The warnings and errors of all processes, filtered by time, level, process and text. The page shows the newest first,
 * a file the oldest first.
 */
@Controller
record EventPages(EventLog log, EventFile file, AzureMailProperties settings) {

    private static final int PAGE = 20;

    @GetMapping("/events")
    String all(Form form, BindingResult errors, @RequestParam @Nullable String before, Model model) {
        EventFilter filter = form.read(settings.zone(), errors);
        model.addAttribute(
                "page",
                errors.hasErrors()
                        ? new Page<>(List.of(), null)
                        : PageCursor.read("events", before, from -> log.newest(PAGE, filter, from)));
        model.addAttribute("levels", EventLevel.values());
        model.addAttribute("most", EventFile.MAX);
        model.addAttribute("first", before == null);
        return "eventlog/all";
    }

    /**
     * Downloads the entries that the page shows and all that follow. If the filter is invalid, redirects to the page,
     * which shows the reason.
     */
    @GetMapping({"/events.ndjson", "/events.txt"})
    ResponseEntity<StreamedBody> download(Form form, BindingResult errors, HttpServletRequest request) {
        EventFilter filter = form.read(settings.zone(), errors);
        if (errors.hasErrors()) {
            return ResponseEntity.status(HttpStatus.SEE_OTHER)
                    .location(form.address())
                    .build();
        }
        boolean json = request.getRequestURI().endsWith(".ndjson");
        return file.answer(filter, json ? EventFile.Format.NDJSON : EventFile.Format.TEXT);
    }

    @GetMapping("/events/one")
    String one(@RequestParam String id, Model model) {
        model.addAttribute("logged", log.find(id).orElseThrow(() -> new PageNotFoundException("no-event")));
        return "eventlog/one";
    }

    /** A filter of events as typed. Times are in the zone of the installation. */
    record Form(
            @Nullable String since,
            @Nullable String until,
            @Nullable String level,
            @Nullable String process,
            @Nullable String words) {

        /** Returns the chosen level, or warnings if none was chosen. */
        @Override
        public String level() {
            return stripped(level).isEmpty() ? EventLevel.WARNING.word() : stripped(level);
        }

        /** Returns whether nothing but a level was chosen; called by the page. */
        public boolean open() {
            return (stripped(since) + stripped(until) + stripped(process) + stripped(words)).isEmpty();
        }

        URI address() {
            return UriComponentsBuilder.fromPath("/events")
                    .query("since={since}&until={until}&level={level}&process={process}&words={words}")
                    .encode()
                    .buildAndExpand(stripped(since), stripped(until), level(), stripped(process), stripped(words))
                    .toUri();
        }

        /** @return the filter; when an input is invalid, a filter of all events, with the reason among the errors */
        EventFilter read(ZoneId zone, BindingResult errors) {
            Instant first = moment("since", stripped(since), zone, errors);
            Instant end = moment("until", stripped(until), zone, errors);
            Optional<EventLevel> least = EventLevel.parse(level());
            if (least.isEmpty()) {
                errors.rejectValue("level", "error.events.level");
            }
            if (first != null && end != null && !first.isBefore(end)) {
                errors.rejectValue("until", "error.events.order");
            }
            limit("process", stripped(process), errors);
            limit("words", stripped(words), errors);
            return errors.hasErrors()
                    ? EventFilter.atLeast(EventLevel.ERROR)
                    : new EventFilter(first, end, least.orElseThrow(), stripped(process), stripped(words));
        }

        private static void limit(String field, String typed, BindingResult errors) {
            if (typed.length() > EventFilter.MAX_LENGTH) {
                FormErrors.reject(errors, field, "error.line", EventFilter.MAX_LENGTH, FormErrors.label(field));
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
                FormErrors.reject(errors, field, "error.events.moment", FormErrors.label(field));
                return null;
            }
        }
    }
}
