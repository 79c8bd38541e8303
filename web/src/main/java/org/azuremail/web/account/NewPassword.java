package org.azuremail.web.account;

import org.azuremail.mail.EmailAddress;
import org.azuremail.web.layout.FormErrors;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;

/** A form with a new password, which is typed twice. */
interface NewPassword {

    @Nullable
    String password();

    @Nullable
    String repeated();

    /**
     * Checks the new password.
     *
     * @param owner the owner of the password; {@code null} if the address is invalid, too
     */
    default void check(@Nullable EmailAddress owner, BindingResult errors) {
        String typed = text();
        Passwords.problem(typed, owner).ifPresent(problem -> errors.rejectValue("password", problem));
        if (!typed.equals(FormErrors.text(repeated()))) {
            errors.rejectValue("repeated", "error.password.differs");
        }
    }

    default String text() {
        return FormErrors.text(password());
    }
}
