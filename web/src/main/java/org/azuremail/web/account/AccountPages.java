package org.azuremail.web.account;

import java.security.Principal;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.Question;
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
        return EmailAddress.parse(email)
                .filter(address -> accounts.find(address).isPresent())
                .map(address -> showLink(OneTimeLink.Kind.RESET, address, me, model))
                .orElse("redirect:/accounts?notice=account-gone");
    }

    @GetMapping("/accounts/remove")
    String askToRemove(@RequestParam String email, Model model) {
        return new Question(
                        "Remove this account?",
                        email + " is signed out at once and can no longer sign in. Nothing else is deleted.",
                        "Remove account",
                        "/accounts/remove",
                        "/accounts")
                .with("email", email)
                .ask(model, "accounts");
    }

    @PostMapping("/accounts/remove")
    String remove(@RequestParam String email, Principal me) {
        if (email.equalsIgnoreCase(me.getName())) {
            return "redirect:/accounts?notice=own-account";
        }
        EmailAddress.parse(email).ifPresent(accounts::remove);
        return "redirect:/accounts?notice=account-removed";
    }

    private String showLink(OneTimeLink.Kind kind, EmailAddress email, Principal me, Model model) {
        Secret secret = accounts.link(kind, email, me.getName());
        model.addAttribute("email", email);
        model.addAttribute("invitation", kind == OneTimeLink.Kind.INVITATION);
        model.addAttribute("url", settings.publicUrl() + "/welcome?token=" + secret.text());
        return "account/link";
    }
}
