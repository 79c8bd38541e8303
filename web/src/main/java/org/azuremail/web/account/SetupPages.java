package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.Notice;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/** The first account of an installation, created by a person who can read its log. */
@Controller
record SetupPages(Accounts accounts, BrowserSession browser) {

    record Form(
            @Nullable String token,
            @Nullable String email,
            @Nullable String password,
            @Nullable String repeated) implements NewPassword {

        Secret secret() {
            return new Secret(token == null ? "" : token);
        }

        Optional<EmailAddress> address() {
            return EmailAddress.parse(email == null ? "" : email);
        }
    }

    @GetMapping("/setup")
    String form(@ModelAttribute("form") Form form, Model model) {
        return open(form) ? "account/setup" : over(model);
    }

    @PostMapping("/setup")
    String make(
            @ModelAttribute("form") Form form,
            BindingResult errors,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        if (!open(form)) {
            return over(model);
        }
        Optional<EmailAddress> email = form.address();
        if (email.isEmpty()) {
            errors.rejectValue("email", "error.address");
        }
        form.check(email.orElse(null), errors);
        if (email.isEmpty() || errors.hasErrors()) {
            return "account/setup";
        }
        if (!accounts.useSetupLink(form.secret(), email.get(), form.text())) {
            return over(model);
        }
        accounts.find(email.get()).ifPresent(account -> browser.begin(account, request, response));
        return Notice.done("set-up").on("/");
    }

    private boolean open(Form form) {
        return accounts.none()
                && accounts.openLink(form.secret())
                        .filter(link -> link.kind() == OneTimeLink.Kind.SETUP)
                        .isPresent();
    }

    private String over(Model model) {
        model.addAttribute("done", !accounts.none());
        return "account/setup-over";
    }
}
