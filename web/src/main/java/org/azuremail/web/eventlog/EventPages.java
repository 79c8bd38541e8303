package org.azuremail.web.eventlog;

import org.azuremail.eventlog.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.web.layout.NotHere;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** What went wrong, in any process: the newest first, by level. */
@Controller
class EventPages {

    private static final int PAGE = 20;

    private final EventLog log;

    EventPages(EventLog log) {
        this.log = log;
    }

    @GetMapping("/events")
    String all(
            @RequestParam(defaultValue = "warning") String level,
            @RequestParam(required = false) @Nullable String before,
            Model model) {
        EventLevel least = EventLevel.parse(level).orElse(EventLevel.WARNING);
        model.addAttribute("page", log.newest(PAGE, least, before));
        model.addAttribute("level", least);
        model.addAttribute("levels", EventLevel.values());
        model.addAttribute("first", before == null);
        return "eventlog/all";
    }

    @GetMapping("/events/one")
    String one(@RequestParam String id, Model model) {
        model.addAttribute(
                "logged", log.find(id).orElseThrow(() -> new NotHere("This event is no longer in the log.")));
        return "eventlog/one";
    }
}
