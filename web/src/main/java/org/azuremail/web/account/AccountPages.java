package org.azuremail.web.account;

import java.security.Principal;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Who else may sign in. */
@Controller
class AccountPages {

    record Form(@Nullable String email) {

        Optional<EmailAddress> address() {
            return EmailAddress.parse(email == null ? "" : email);
        }
    }

    private final Accounts accounts;
    private final AzureMailProperties settings;

    AccountPages(Accounts accounts, AzureMailProperties settings) {
        this.accounts = accounts;
        this.settings = settings;
    }

    @GetMapping("/accounts")
    String all(@ModelAttribute("form") Form form, Model model) {
        model.addAttribute("accounts", accounts.all());
        return "account/all";
    }

    @PostMapping("/accounts/invite")
    String invite(@ModelAttribute("form") Form form, BindingResult errors, Principal me, Model model) {
        Optional<EmailAddress> email = form.address();
        if (email.isEmpty()) {
            errors.rejectValue("email", "refused", "This is not an e-mail address. One looks like ann@example.org.");
        } else if (accounts.find(email.get()).isPresent()) {
            errors.rejectValue("email", "exists", "This address has an account already.");
        }
        return email.isEmpty() || errors.hasErrors()
                ? all(form, model)
                : showLink(OneTimeLink.Kind.INVITATION, email.get(), me, model);
    }

    @PostMapping("/accounts/reset")
    String reset(@RequestParam String email, Principal me, Model model) {
        String own = new EmailAddress(me.getName()).folded();
        if (EmailAddress.parse(email).map(EmailAddress::folded).equals(Optional.of(own))) {
            // Whoever finds an open session must not keep the account.
            return "redirect:/account?notice=own-reset";
        }
        return EmailAddress.parse(email)
                .filter(address -> accounts.find(address)
                        .filter(account -> !account.removing())
                        .isPresent())
                .map(address -> showLink(OneTimeLink.Kind.RESET, address, me, model))
                .orElse("redirect:/accounts?notice=account-gone");
    }

    private String showLink(OneTimeLink.Kind kind, EmailAddress email, Principal me, Model model) {
        Secret secret = accounts.link(kind, email, me.getName());
        model.addAttribute("email", email);
        model.addAttribute("invitation", kind == OneTimeLink.Kind.INVITATION);
        model.addAttribute("url", settings.publicUrl() + "/welcome?token=" + secret.text());
        return "account/link";
    }
}
