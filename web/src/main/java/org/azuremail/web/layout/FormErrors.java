package org.azuremail.web.layout;

import java.text.DecimalFormatSymbols;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.validation.Errors;
import org.springframework.web.multipart.MultipartFile;

/** The values that were typed into a form, and the faults in them. */
public final class FormErrors {

    private FormErrors() {}

    /** Returns the typed text; empty for a field that the form does not have. */
    public static String text(@Nullable String typed) {
        return typed == null ? "" : typed;
    }

    /** Returns the typed text without blanks around it. */
    public static String stripped(@Nullable String typed) {
        return text(typed).strip();
    }

    /**
     * Returns a typed number in ASCII digits and without the thousands separators of the reader's language, because
     * pages show numbers with them. Other texts keep their separators.
     */
    public static String number(@Nullable String typed) {
        String text = AsciiWord.digits(stripped(typed));
        char between = symbols().getGroupingSeparator();
        String separator = Character.isSpaceChar(between) ? "\\h" : Pattern.quote(String.valueOf(between));
        String point = Pattern.quote(String.valueOf(symbols().getDecimalSeparator()));
        Matcher thousands = Pattern.compile("([0-9]{1,3}(?:" + separator + "[0-9]{3})+)((?:" + point + "[0-9]+)?)")
                .matcher(text);
        return thousands.matches() ? thousands.group(1).replaceAll(separator, "") + thousands.group(2) : text;
    }

    /** Returns a typed number like {@link #number}, with a point before its decimals. */
    public static String decimal(@Nullable String typed) {
        return number(typed).replace(symbols().getDecimalSeparator(), '.');
    }

    private static DecimalFormatSymbols symbols() {
        return DecimalFormatSymbols.getInstance(LocaleContextHolder.getLocale());
    }

    /**
     * Reports a fault at a field.
     *
     * @param values the values for the placeholders in the text of the code
     */
    public static void reject(Errors errors, String field, String code, Object... values) {
        errors.rejectValue(field, code, values, null);
    }

    /** Returns the label of a field, as a value for a text that names the field. */
    public static Object label(String field) {
        return new DefaultMessageSourceResolvable("label." + field);
    }

    /** Refuses a text that is not one line, as a header may contain it. */
    public static void line(Errors errors, String field, @Nullable String typed) {
        if (!MailingList.isLine(stripped(typed))) {
            reject(errors, field, "error.line", MailingList.MAX_LINE, label(field));
        }
    }

    /** Refuses a chosen file without content; a browser sends an unused field as a file without a name. */
    public static void file(Errors errors, String field, @Nullable MultipartFile file) {
        if (file != null && file.isEmpty() && !text(file.getOriginalFilename()).isEmpty()) {
            errors.rejectValue(field, "error.file-empty");
        }
    }

    /** Returns the typed address; empty if it is invalid, which is reported at its field. */
    public static Optional<EmailAddress> address(Errors errors, String field, @Nullable String typed) {
        Optional<EmailAddress> address = EmailAddress.parse(text(typed));
        if (address.isEmpty()) {
            errors.rejectValue(field, "error.address");
        }
        return address;
    }

    /**
     * Returns the stripped reason that an admin gives for suppressing or releasing a person. An invalid reason is
     * reported at the field <em>why</em>.
     */
    public static String why(Errors errors, @Nullable String typed, int longest) {
        String why = stripped(typed);
        if (why.length() > longest) {
            reject(errors, "why", "error.suppression.why", longest);
        } else if (!MailingList.isText(why)) {
            reject(errors, "why", "error.line", longest, label("why"));
        }
        return why;
    }

    /** Shows the value that was saved meanwhile beside a field that differs from it. */
    public static void current(Errors errors, String field, String stored, @Nullable String typed) {
        if (!stored.equals(text(typed))) {
            reject(errors, field, "current", stored);
        }
    }

    /** Shows the value that was saved meanwhile beside a checkbox that differs from it. */
    public static void current(Errors errors, String field, boolean stored, boolean ticked) {
        if (stored != ticked) {
            reject(errors, field, "current", new DefaultMessageSourceResolvable(stored ? "word.yes" : "word.no"));
        }
    }
}
