package org.azuremail.web.layout;

import java.util.Optional;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.validation.Errors;

/** The values that were typed into a form, and the faults in them. */
public final class Faults {

    private Faults() {}

    /** Empty for a field that the form does not have. */
    public static String text(@Nullable String typed) {
        return typed == null ? "" : typed;
    }

    /** The same without blanks around it. */
    public static String stripped(@Nullable String typed) {
        return text(typed).strip();
    }

    /** @param values for the places in the text of the code */
    public static void reject(Errors errors, String field, String code, Object... values) {
        errors.rejectValue(field, code, values, null);
    }

    /** The label of a field, as a value of a text that names the field. */
    public static Object label(String field) {
        return new DefaultMessageSourceResolvable("label." + field);
    }

    /** Refuses a text that is not one line, as a header may contain it. */
    public static void line(Errors errors, String field, @Nullable String typed) {
        if (!MailingList.isLine(stripped(typed))) {
            reject(errors, field, "error.line", MailingList.MAX_LINE, label(field));
        }
    }

    /** The address that was typed; empty if it is none, which its field then says. */
    public static Optional<EmailAddress> address(Errors errors, String field, @Nullable String typed) {
        Optional<EmailAddress> address = EmailAddress.parse(text(typed));
        if (address.isEmpty()) {
            errors.rejectValue(field, "error.address");
        }
        return address;
    }

    /** The reason that an admin gives for suppressing or releasing somebody, stripped; the field <em>why</em> refuses any other. */
    public static String why(Errors errors, @Nullable String typed, int longest) {
        String why = stripped(typed);
        if (why.length() > longest) {
            reject(errors, "why", "error.suppression.why", longest);
        } else if (!MailingList.isText(why)) {
            reject(errors, "why", "error.line", longest, label("why"));
        }
        return why;
    }

    /** Shows what somebody else has saved meanwhile beside a field that differs from it. */
    public static void current(Errors errors, String field, String stored, @Nullable String typed) {
        if (!stored.equals(text(typed))) {
            reject(errors, field, "current", stored);
        }
    }

    /** The same for a box. */
    public static void current(Errors errors, String field, boolean stored, boolean ticked) {
        if (stored != ticked) {
            reject(errors, field, "current", new DefaultMessageSourceResolvable(stored ? "word.yes" : "word.no"));
        }
    }
}
