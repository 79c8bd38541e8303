package org.azuremail.web.account;

import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;

/** A password that is typed twice, as every form that sets one has it. */
interface NewPassword {

    @Nullable
    String password();

    @Nullable
    String repeated();

    /** Puts what is wrong with it beside the field. */
    default void check(EmailAddress owner, BindingResult errors) {
        String typed = text();
        Passwords.problem(typed, owner).ifPresent(problem -> errors.rejectValue("password", "refused", problem));
        if (!errors.hasFieldErrors("password") && !typed.equals(repeated())) {
            errors.rejectValue("repeated", "differs", "The two passwords differ. Please type the same one twice.");
        }
    }

    default String text() {
        String typed = password();
        return typed == null ? "" : typed;
    }
}
