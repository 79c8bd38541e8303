package org.azuremail.web.rate;

import java.util.Locale;
import java.util.Optional;
import org.azuremail.limit.RateLimit;
import org.azuremail.mail.MailProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/** How many mails a second leave, over all senders. */
@Controller
class RatePages {

    private static final int HIGHEST = 1_000_000;

    record Form(@Nullable String rate) {

        Optional<Integer> number() {
            return Optional.ofNullable(rate)
                    .map(String::strip)
                    .filter(typed -> typed.matches("[0-9]{1,7}"))
                    .map(Integer::valueOf)
                    .filter(number -> number <= HIGHEST);
        }
    }

    private final RateLimit limit;
    private final MailProperties mail;

    RatePages(RateLimit limit, MailProperties mail) {
        this.limit = limit;
        this.mail = mail;
    }

    @GetMapping("/settings")
    String show(Model model) {
        model.addAttribute("form", new Form(String.valueOf(limit.rate())));
        return page(model);
    }

    @PostMapping("/settings")
    String change(@ModelAttribute("form") Form form, BindingResult errors, Model model) {
        Optional<Integer> number = form.number();
        if (number.isEmpty()) {
            errors.rejectValue("rate", "refused", "Please type a whole number from 0 to " + HIGHEST + ".");
            return page(model);
        }
        limit.changeRate(number.get());
        return "redirect:/settings?notice=rate-saved";
    }

    private String page(Model model) {
        model.addAttribute("rate", limit.rate());
        model.addAttribute("transport", mail.transport().name().toLowerCase(Locale.ROOT));
        model.addAttribute("starting", mail.startingRate());
        return "rate/settings";
    }
}
