package org.azuremail.web.operations;

import java.util.Locale;
import java.util.function.UnaryOperator;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.history.ActivityHistory;
import org.azuremail.operations.WorkNames;
import org.azuremail.time.Time;
import org.azuremail.web.operations.HistoryPlots.Range;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The page with the history of the last 30 days. It takes one storage call for each thousand days of processes. */
@Controller
record HistoryPages(ActivityHistory history, WorkNames workNames, AzureMailProperties settings, Time time) {

    @ModelAttribute("labels")
    UnaryOperator<String> labels() {
        return workNames::label;
    }

    @GetMapping("/operations/history")
    String history(@RequestParam @Nullable String range, Model model) {
        Range shown = Range.of(range);
        HistoryPlots plots = new HistoryPlots(history.hours(), shown, time.instant(), settings.zone());
        model.addAttribute("range", shown.name().toLowerCase(Locale.ROOT));
        model.addAttribute("empty", plots.hours().isEmpty());
        model.addAttribute("emails", plots.emails());
        model.addAttribute("failures", plots.failures());
        model.addAttribute("processes", plots.processes());
        model.addAttribute("queues", plots.queues());
        return "operations/history";
    }
}
