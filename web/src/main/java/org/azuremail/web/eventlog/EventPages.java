package org.azuremail.web.eventlog;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.storage.Page;
import org.azuremail.web.layout.NotHere;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** The failures of all processes: the newest first, by time, level, process and text; as a page and as a file. */
@Controller
record EventPages(EventLog log, EventFile file, AzureMailProperties settings) {

    private static final int PAGE = 20;

    @GetMapping("/events")
    String all(
            @ModelAttribute("form") EventForm form,
            BindingResult errors,
            @RequestParam(required = false) @Nullable String before,
            Model model) {
        EventFilter filter = form.read(settings.zone(), errors);
        model.addAttribute("page", errors.hasErrors() ? new Page<>(List.of(), null) : log.newest(PAGE, filter, before));
        model.addAttribute("levels", EventLevel.values());
        model.addAttribute("most", EventFile.MOST);
        model.addAttribute("first", before == null);
        return "eventlog/all";
    }

    /** The entries that the page shows, and all that follow; where the choice is refused the page says why. */
    @GetMapping({"/events.ndjson", "/events.txt"})
    ResponseEntity<StreamingResponseBody> download(
            @ModelAttribute("form") EventForm form, BindingResult errors, HttpServletRequest request) {
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
        model.addAttribute("logged", log.find(id).orElseThrow(() -> new NotHere("no-event")));
        return "eventlog/one";
    }
}
