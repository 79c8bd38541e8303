package org.azuremail.web.rate;

import java.util.Optional;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.mail.MailProperties;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/** How many mails a second, minute, hour and day leave, over all senders. */
@Controller
class RatePages {

    private final RateLimit limit;
    private final MailProperties mail;

    RatePages(RateLimit limit, MailProperties mail) {
        this.limit = limit;
        this.mail = mail;
    }

    @GetMapping("/settings")
    String show(Model model) {
        Limits limits = limit.limits();
        model.addAttribute("form", LimitForm.of(limits));
        return page(model, limits);
    }

    @PostMapping("/settings")
    String change(@ModelAttribute("form") LimitForm form, BindingResult errors, Model model) {
        Optional<Limits> limits = form.limits(errors);
        if (limits.isEmpty()) {
            return page(model, limit.limits());
        }
        limit.change(limits.get());
        return "redirect:/settings?notice=rate-saved";
    }

    private String page(Model model, Limits limits) {
        model.addAttribute("limits", limits);
        model.addAttribute("transport", mail.names().get(0));
        model.addAttribute("starting", mail.all().get(0).perSecond());
        return "rate/settings";
    }
}
