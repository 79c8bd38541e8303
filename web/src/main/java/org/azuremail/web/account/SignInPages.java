package org.azuremail.web.account;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/** The pages for signing in and out. */
@Controller
record SignInPages(SignIn signIn, BrowserSession browser, SecretCookie deviceCookie, Accounts accounts) {

    /** The longest address of a next page, in characters; a redirect has room for little more. */
    private static final int MAX_NEXT_LENGTH = 2_000;

    /**
     * The form for signing in.
     *
     * @param next the page that the visitor requested first
     */
    record Form(
            @Nullable String email,
            @Nullable String password,
            @Nullable String next) {

        /** Returns the page to show after signing in, which is never on another site. */
        String target() {
            return next != null
                            && next.length() <= MAX_NEXT_LENGTH
                            && next.matches("/[^/\\\\\\p{Cntrl}][^\\\\\\p{Cntrl}]*")
                    ? next
                    : "/";
        }
    }

    @GetMapping("/sign-in")
    String form(Form form, @Nullable Principal me, Model model) {
        model.addAttribute("nobodyYet", me == null && accounts.isEmpty());
        return me == null ? "account/sign-in" : "redirect:" + form.target();
    }

    @PostMapping("/sign-in")
    String signIn(Form form, BindingResult errors, HttpServletRequest request, HttpServletResponse response) {
        SignIn.Visitor visitor = new SignIn.Visitor(request.getRemoteAddr(), deviceCookie.read(request));
        SignIn.Result result = signIn.attempt(FormErrors.text(form.email()), FormErrors.text(form.password()), visitor);
        if (result instanceof SignIn.Result.Success welcome) {
            browser.begin(welcome.account(), request, response);
            return "redirect:" + form.target();
        }
        if (result instanceof SignIn.Result.Busy busy) {
            throw busy.answer();
        }
        if (result instanceof SignIn.Result.Throttled later) {
            long seconds = later.delay().toSeconds() + 1;
            boolean few = seconds < 120;
            FormErrors.reject(
                    errors,
                    "email",
                    few ? "error.sign-in.seconds" : "error.sign-in.minutes",
                    few ? seconds : (seconds + 59) / 60);
        } else {
            errors.rejectValue("email", "error.sign-in.wrong");
        }
        return "account/sign-in";
    }

    @PostMapping("/sign-out")
    String signOut(HttpServletRequest request, HttpServletResponse response) {
        browser.end(request, response);
        return Notice.done("signed-out").on("/sign-in");
    }
}
