package org.azuremail.web.account;

import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;

/** A form with a new password, which is typed twice. */
interface NewPassword {

    @Nullable
    String password();

    @Nullable
    String repeated();

    /** @param owner {@code null} when the address is wrong, too */
    default void check(@Nullable EmailAddress owner, BindingResult errors) {
        String typed = text();
        Passwords.problem(typed, owner).ifPresent(problem -> errors.rejectValue("password", problem));
        String second = repeated();
        if (!typed.equals(second == null ? "" : second)) {
            errors.rejectValue("repeated", "error.password.differs");
        }
    }

    default String text() {
        String typed = password();
        return typed == null ? "" : typed;
    }
}
