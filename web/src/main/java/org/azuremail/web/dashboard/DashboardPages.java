package org.azuremail.web.dashboard;

import java.util.List;
import java.util.Optional;
import org.azuremail.attention.Attention;
import org.azuremail.attention.Cause;
import org.azuremail.attention.SendingStatus;
import org.azuremail.time.Time;
import org.azuremail.web.block.Blocks;
import org.azuremail.web.growth.GrowthPlots;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.live.LiveSource;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The dashboard, which is the first page. */
@Controller
record DashboardPages(
        SendingStatus status, Attention attention, Checklist checklist, GrowthPlots plots, Blocks blocks, Time time)
        implements LiveSource {

    private static final String TOPIC = "dashboard";
    private static final int SHOWN = 5;
    private static final int COUNTED = 3;

    @GetMapping("/")
    String home(@RequestParam @Nullable String growth, Model model) {
        SendingStatus.Sample sample = now(null, model);
        List<Checklist.Step> steps = checklist.steps(sample.somethingSent()).orElse(List.of());
        model.addAttribute("steps", steps);
        model.addAttribute("empty", !steps.isEmpty() && !steps.get(0).done());
        plots.ofAll(growth).ifPresent(plot -> model.addAttribute("growth", plot));
        model.addAttribute("blocks", blocks.onDashboard());
        return "dashboard/home";
    }

    @GetMapping("/dashboard/now")
    String again(@RequestParam @Nullable String seen, Model model) {
        now(seen, model);
        return "dashboard/now :: now";
    }

    private SendingStatus.Sample now(@Nullable String seen, Model model) {
        SendingStatus.Sample sample = sendingStatus();
        model.addAttribute("look", sample);
        model.addAttribute("version", sample.version());
        model.addAttribute("watched", TOPIC + ".all");
        model.addAttribute(
                "latest",
                sample.latest().subList(0, Math.min(SHOWN, sample.latest().size())));
        model.addAttribute("attention", causes(sample));
        model.addAttribute("unmailed", attention.noEmailsLeave(sample));
        model.addAttribute("rates", Rates.of(sample.sending(), seen, time.instant()));
        return sample;
    }

    private SendingStatus.Sample sendingStatus() {
        return status.sample(SHOWN, COUNTED);
    }

    @Override
    public String topic() {
        return TOPIC;
    }

    @Override
    public Optional<LiveSource.State> findState(String id) {
        return Optional.of(new LiveSource.State(sendingStatus().version(), false));
    }

    /** Returns the problems, without a missing mail server while the checklist shows that, too. */
    private List<Cause> causes(SendingStatus.Sample sample) {
        return attention.causes(sample).stream()
                .filter(cause -> cause.kind() != Cause.Kind.NO_MAIL_SERVER || checklist.isHidden())
                .toList();
    }

    @PostMapping("/dashboard/hide-checklist")
    String hideChecklist() {
        checklist.hide();
        return Notice.done("checklist-hidden").on("/");
    }
}
