package org.azuremail.web.account;

import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.layout.TableOrder;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages about all accounts, and the links that invite people or reset passwords. */
@Controller
record AccountPages(Accounts accounts, AzureMailProperties settings) {

    record Form(@Nullable String email) {}

    @GetMapping("/accounts")
    String all(Form form, TableOrder order, Model model) {
        model.addAttribute(
                "accounts",
                order.sorted(
                        accounts.all(),
                        Map.of(
                                "email", account -> account.email().value(),
                                "signed-in", Account::lastSignInAt,
                                "created", Account::createdAt)));
        model.addAttribute("links", accounts.openLinks());
        return "account/all";
    }

    @PostMapping("/accounts/invite")
    String invite(Form form, BindingResult errors, Principal me, Model model) {
        Optional<EmailAddress> email = FormErrors.address(errors, "email", form.email());
        if (email.flatMap(accounts::find).isPresent()) {
            errors.rejectValue("email", "error.account.exists");
        }
        return email.isEmpty() || errors.hasErrors()
                ? all(form, TableOrder.NONE, model)
                : showLink(OneTimeLink.Kind.INVITATION, email.get(), me, model);
    }

    @PostMapping("/accounts/reset")
    String reset(@RequestParam String email, Principal me, Model model) {
        String own = new EmailAddress(me.getName()).folded();
        if (EmailAddress.parse(email).map(EmailAddress::folded).equals(Optional.of(own))) {
            // A person who finds an open session must not be able to take over the account.
            return Notice.info("own-reset").on("/account");
        }
        return EmailAddress.parse(email)
                .filter(accounts::isActive)
                .map(address -> showLink(OneTimeLink.Kind.RESET, address, me, model))
                .orElseGet(() -> Notice.info("account-missing").on("/accounts"));
    }

    @GetMapping("/accounts/links/revoke")
    String askToRevoke(@RequestParam String id, Model model) {
        OneTimeLink link = accounts.openLinks().stream()
                .filter(open -> open.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new PageNotFoundException("no-link"))
                .link();
        return new Question("revoke-link", "/accounts/links/revoke", "/accounts")
                .about(String.valueOf(link.email()), link.kind() == OneTimeLink.Kind.INVITATION ? 0 : 1)
                .with("id", id)
                .ask(model, "accounts");
    }

    @PostMapping("/accounts/links/revoke")
    String revoke(@RequestParam String id) {
        return (accounts.revokeLink(id) ? Notice.done("link-revoked") : Notice.info("link-over")).on("/accounts");
    }

    private String showLink(OneTimeLink.Kind kind, EmailAddress email, Principal me, Model model) {
        Secret secret = accounts.link(kind, email, me.getName());
        model.addAttribute("email", email);
        model.addAttribute("invitation", kind == OneTimeLink.Kind.INVITATION);
        model.addAttribute("url", settings.publicUrl() + "/welcome?token=" + secret.text());
        return "account/link";
    }
}
