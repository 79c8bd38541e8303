package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * The pages behind one-time links, where people choose a password: for the first account, an invitation, or a reset.
 */
@Controller
record LinkPages(Accounts accounts, BrowserSession browser) {

    record Form(
            @Nullable String token,
            @Nullable String email,
            @Nullable String password,
            @Nullable String repeated) implements NewPassword {

        Secret secret() {
            return new Secret(FormErrors.text(token));
        }
    }

    @GetMapping("/setup")
    String setupForm(Form form, Model model) {
        return open(form) ? "account/setup" : over(model);
    }

    @PostMapping("/setup")
    String setUp(
            Form form, BindingResult errors, Model model, HttpServletRequest request, HttpServletResponse response) {
        if (!open(form)) {
            return over(model);
        }
        Optional<EmailAddress> email = FormErrors.address(errors, "email", form.email());
        form.check(email.orElse(null), errors);
        if (email.isEmpty() || errors.hasErrors()) {
            return "account/setup";
        }
        Optional<Account> account = accounts.useSetupLink(form.secret(), email.get(), form.text());
        if (account.isEmpty()) {
            return over(model);
        }
        browser.begin(account.get(), request, response);
        return Notice.done("set-up").on("/");
    }

    private boolean open(Form form) {
        return accounts.isEmpty()
                && accounts.openLink(form.secret())
                        .filter(link -> link.kind() == OneTimeLink.Kind.SETUP)
                        .isPresent();
    }

    private String over(Model model) {
        model.addAttribute("done", !accounts.isEmpty());
        return "account/setup-over";
    }

    @GetMapping("/welcome")
    String form(Form form, Model model) {
        return owner(form, model).isPresent() ? "account/welcome" : "account/link-over";
    }

    @PostMapping("/welcome")
    String use(Form form, BindingResult errors, Model model, HttpServletRequest request, HttpServletResponse response) {
        Optional<EmailAddress> email = owner(form, model);
        if (email.isEmpty()) {
            return "account/link-over";
        }
        form.check(email.get(), errors);
        if (errors.hasErrors()) {
            return "account/welcome";
        }
        Optional<Account> account = accounts.useLink(form.secret(), form.text());
        if (account.isEmpty()) {
            return "account/link-over";
        }
        browser.begin(account.get(), request, response);
        return Notice.done("password-set").on("/");
    }

    private Optional<EmailAddress> owner(Form form, Model model) {
        Optional<OneTimeLink> link = accounts.openLink(form.secret());
        link.ifPresent(open -> model.addAttribute("link", open));
        return link.map(OneTimeLink::email);
    }
}
