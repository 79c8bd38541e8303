package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of the signed-in account: its password, its alert emails, and ending all its sessions. */
@Controller
record MyAccountPages(Accounts accounts, SignIn signIn, BrowserSession browser) {

    record Form(
            @Nullable String current,
            @Nullable String password,
            @Nullable String repeated) implements NewPassword {}

    @GetMapping("/account")
    String form(Form form) {
        return "account/mine";
    }

    @ModelAttribute("alerts")
    boolean alerts(Principal me) {
        return accounts.find(new EmailAddress(me.getName()))
                .filter(Account::alerts)
                .isPresent();
    }

    @PostMapping("/account/alerts")
    String alerts(@RequestParam boolean wanted, Principal me) {
        accounts.setAlerts(new EmailAddress(me.getName()), wanted);
        return Notice.done(wanted ? "alerts-on" : "alerts-off").on("/account");
    }

    @PostMapping("/account/password")
    String change(
            Form form, BindingResult errors, Principal me, HttpServletRequest request, HttpServletResponse response) {
        EmailAddress email = new EmailAddress(me.getName());
        form.check(email, errors);
        if (errors.hasErrors()) {
            return "account/mine";
        }
        Optional<Account> checked = checked(form, email);
        if (checked.isEmpty()) {
            errors.rejectValue("current", "error.account.current");
            return "account/mine";
        }
        Optional<Account> changed = accounts.changePassword(checked.get(), form.text());
        if (changed.isEmpty()) {
            return "redirect:/sign-in";
        }
        browser.begin(changed.get(), request, response);
        return Notice.done("password-changed").on("/account");
    }

    @PostMapping("/account/sign-out-everywhere")
    String signOutEverywhere(Principal me, HttpServletRequest request, HttpServletResponse response) {
        accounts.endSessions(new EmailAddress(me.getName()));
        browser.end(request, response);
        return Notice.done("signed-out-everywhere").on("/sign-in");
    }

    /** Returns the account if the typed current password is right. */
    private Optional<Account> checked(Form form, EmailAddress email) {
        SignIn.Result result = signIn.confirm(email, FormErrors.text(form.current()));
        if (result instanceof SignIn.Result.Busy busy) {
            throw busy.answer();
        }
        return result instanceof SignIn.Result.Success welcome ? Optional.of(welcome.account()) : Optional.empty();
    }
}
