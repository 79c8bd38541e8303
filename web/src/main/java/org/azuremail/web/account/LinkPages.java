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

/** The page behind the link of an invitation or of a lost password: choosing a password. */
@Controller
record LinkPages(Accounts accounts, BrowserSession browser) {

    record Form(
            @Nullable String token,
            @Nullable String password,
            @Nullable String repeated) implements NewPassword {

        Secret secret() {
            return new Secret(token == null ? "" : token);
        }
    }

    @GetMapping("/welcome")
    String form(@ModelAttribute("form") Form form, Model model) {
        return owner(form, model).isPresent() ? "account/welcome" : "account/link-over";
    }

    @PostMapping("/welcome")
    String use(
            @ModelAttribute("form") Form form,
            BindingResult errors,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<EmailAddress> email = owner(form, model);
        if (email.isEmpty()) {
            return "account/link-over";
        }
        form.check(email.get(), errors);
        if (errors.hasErrors()) {
            return "account/welcome";
        }
        if (!accounts.useLink(form.secret(), form.text())) {
            return "account/link-over";
        }
        accounts.find(email.get()).ifPresent(account -> browser.begin(account, request, response));
        return Notice.done("password-set").on("/");
    }

    private Optional<EmailAddress> owner(Form form, Model model) {
        Optional<OneTimeLink> link = accounts.openLink(form.secret());
        link.ifPresent(open -> model.addAttribute("link", open));
        return link.map(OneTimeLink::email);
    }
}
