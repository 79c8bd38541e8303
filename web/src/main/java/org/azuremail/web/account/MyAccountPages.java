package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/** One's own account: another password, and the end of all sessions. */
@Controller
class MyAccountPages {

    record Form(
            @Nullable String current,
            @Nullable String password,
            @Nullable String repeated) implements NewPassword {}

    private final Accounts accounts;
    private final SignIn signIn;
    private final BrowserSession browser;

    MyAccountPages(Accounts accounts, SignIn signIn, BrowserSession browser) {
        this.accounts = accounts;
        this.signIn = signIn;
        this.browser = browser;
    }

    @GetMapping("/account")
    String form(@ModelAttribute("form") Form form) {
        return "account/mine";
    }

    @PostMapping("/account/password")
    String change(
            @ModelAttribute("form") Form form,
            BindingResult errors,
            Principal me,
            HttpServletRequest request,
            HttpServletResponse response) {
        EmailAddress email = new EmailAddress(me.getName());
        form.check(email, errors);
        if (!errors.hasErrors() && !knowsCurrent(form, email)) {
            errors.rejectValue("current", "refused", "This is not your current password, or it was tried too often.");
        }
        if (errors.hasErrors()) {
            return "account/mine";
        }
        accounts.changePassword(email, form.text()).ifPresent(account -> browser.begin(account, request, response));
        return "redirect:/account?notice=password-changed";
    }

    @PostMapping("/account/sign-out-everywhere")
    String signOutEverywhere(Principal me, HttpServletRequest request, HttpServletResponse response) {
        accounts.endSessions(new EmailAddress(me.getName()));
        browser.end(request, response);
        return "redirect:/sign-in?notice=signed-out-everywhere";
    }

    private boolean knowsCurrent(Form form, EmailAddress email) {
        String current = form.current() == null ? "" : form.current();
        return signIn.confirm(email, current) instanceof SignIn.Result.Welcome;
    }
}
