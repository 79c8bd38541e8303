package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;

/** Signing in and out. */
@Controller
class SignInPages {

    /**
     * What is typed.
     *
     * @param next the page that was wanted first
     */
    record Form(
            @Nullable String email,
            @Nullable String password,
            @Nullable String next) {

        /** Where to go afterwards: never to another site. */
        String target() {
            return next != null && next.matches("/[^/\\\\\\p{Cntrl}][^\\\\\\p{Cntrl}]*") ? next : "/lists";
        }
    }

    private final SignIn signIn;
    private final BrowserSession browser;
    private final DeviceCookie device;
    private final Accounts accounts;

    SignInPages(SignIn signIn, BrowserSession browser, DeviceCookie device, Accounts accounts) {
        this.signIn = signIn;
        this.browser = browser;
        this.device = device;
        this.accounts = accounts;
    }

    @GetMapping("/sign-in")
    String form(@ModelAttribute("form") Form form, @Nullable Principal me, Model model) {
        model.addAttribute("nobodyYet", me == null && accounts.none());
        return me == null ? "account/sign-in" : "redirect:" + form.target();
    }

    @PostMapping("/sign-in")
    String signIn(
            @ModelAttribute("form") Form form,
            BindingResult errors,
            HttpServletRequest request,
            HttpServletResponse response) {
        String email = form.email() == null ? "" : form.email();
        String password = form.password() == null ? "" : form.password();
        SignIn.Visitor visitor = new SignIn.Visitor(request.getRemoteAddr(), device.read(request));
        SignIn.Result result = signIn.attempt(email, password, visitor);
        if (result instanceof SignIn.Result.Welcome welcome) {
            browser.begin(welcome.account(), request, response);
            return "redirect:" + form.target();
        }
        errors.rejectValue("email", "refused", result instanceof SignIn.Result.TooMany later ? wait(later) : WRONG);
        return "account/sign-in";
    }

    @PostMapping("/sign-out")
    String signOut(HttpServletRequest request, HttpServletResponse response) {
        browser.end(request, response);
        return "redirect:/sign-in?notice=signed-out";
    }

    private static final String WRONG = "This address and password do not belong together. Please check both.";

    private static String wait(SignIn.Result.TooMany later) {
        Duration delay = later.delay().plusSeconds(1);
        String time = delay.toSeconds() < 120 ? delay.toSeconds() + " seconds" : delay.toMinutes() + " minutes";
        return "Too many attempts. Please wait " + time + " and try again,"
                + " or sign in on a device on which you signed in before.";
    }
}
