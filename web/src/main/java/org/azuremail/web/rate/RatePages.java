package org.azuremail.web.rate;

import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.WaitingRanges;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.RateLimits;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.TransportKinds;
import org.azuremail.web.layout.NotHere;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** How many mails a second, minute, hour and day leave by each transport, over all senders. */
@Controller
class RatePages {

    private final RateLimits limits;
    private final MailProperties mail;
    private final TransportKinds kinds;
    private final WaitingRanges waiting;

    RatePages(RateLimits limits, MailProperties mail, TransportKinds kinds, WaitingRanges waiting) {
        this.kinds = kinds;
        this.waiting = waiting;
        this.limits = limits;
        this.mail = mail;
    }

    @GetMapping("/settings")
    String show(@RequestParam(required = false) @Nullable String transport, Model model) {
        Configured one = require(transport);
        Limits now = limit(one).limits();
        model.addAttribute("form", LimitForm.of(now));
        return page(one, now, model);
    }

    @PostMapping("/settings")
    String change(
            @ModelAttribute("form") LimitForm form,
            BindingResult errors,
            @RequestParam(required = false) @Nullable String transport,
            Model model) {
        Configured one = require(transport);
        Optional<Limits> typed = form.limits(errors);
        if (typed.isEmpty()) {
            return page(one, limit(one).limits(), model);
        }
        limit(one).change(typed.get());
        waiting.goOn();
        return "redirect:/settings?notice=rate-saved&transport=" + one.name();
    }

    private Configured require(@Nullable String name) {
        List<Configured> all = mail.all();
        return all.stream()
                .filter(one -> name == null || one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NotHere("There is no such transport in the settings."));
    }

    private RateLimit limit(Configured one) {
        return limits.of(one.name());
    }

    private String page(Configured one, Limits now, Model model) {
        model.addAttribute("limits", now);
        model.addAttribute("transport", one);
        model.addAttribute("cautious", kinds.of(one).startingRate() > 0);
        model.addAttribute("starting", kinds.startingRate(one));
        model.addAttribute("transports", mail.all());
        model.addAttribute("order", mail.order());
        return "rate/settings";
    }
}
