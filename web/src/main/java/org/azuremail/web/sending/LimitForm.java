package org.azuremail.web.sending;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.limit.Limits;
import org.azuremail.web.layout.FormErrors;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;

/**
 * The limits as typed. An empty field means no limit.
 *
 * @param shown the limits that the page showed before they were changed
 */
public record LimitForm(
        @Nullable String second,
        @Nullable String minute,
        @Nullable String hour,
        @Nullable String day,
        @Nullable String shown) {

    private static final Pattern SHOWN = Pattern.compile("\\d{1,9}( \\d{1,9}){3}");

    static LimitForm of(Limits limits) {
        return new LimitForm(
                typed(limits.perSecond()),
                typed(limits.perMinute()),
                typed(limits.perHour()),
                typed(limits.perDay()),
                shown(limits));
    }

    /** Returns the value of the field {@link #shown}. */
    static String shown(Limits limits) {
        return limits.perSecond() + " " + limits.perMinute() + " " + limits.perHour() + " " + limits.perDay();
    }

    /** Returns the limits that the page showed; empty if the form does not contain them. */
    Optional<Limits> seen() {
        if (shown == null || !SHOWN.matcher(shown).matches()) {
            return Optional.empty();
        }
        int[] each = Arrays.stream(shown.split(" ")).mapToInt(Integer::parseInt).toArray();
        return Optional.of(new Limits(each[0], each[1], each[2], each[3]));
    }

    /** Reports a conflict: the typed limits stay, and the current ones are shown beside them. */
    void conflict(Limits now, BindingResult errors) {
        errors.reject("conflict");
        FormErrors.current(errors, "second", typed(now.perSecond()), second);
        FormErrors.current(errors, "minute", typed(now.perMinute()), minute);
        FormErrors.current(errors, "hour", typed(now.perHour()), hour);
        FormErrors.current(errors, "day", typed(now.perDay()), day);
    }

    public static String typed(int limit) {
        return limit == 0 ? "" : String.valueOf(limit);
    }

    /** Returns the limits; empty if one is invalid, which is reported at its field. */
    Optional<Limits> limits(BindingResult errors) {
        int perSecond = number("second", second, errors);
        int perMinute = number("minute", minute, errors);
        int perHour = number("hour", hour, errors);
        int perDay = number("day", day, errors);
        return errors.hasErrors() ? Optional.empty() : Optional.of(new Limits(perSecond, perMinute, perHour, perDay));
    }

    /** Returns the number in one field, 0 if the field is empty. A mistake is reported at that field. */
    public static int number(String field, @Nullable String typed, Errors errors) {
        String text = FormErrors.number(typed);
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) > Limits.HIGHEST) {
            FormErrors.reject(errors, field, "error.sending.limit", Limits.HIGHEST, FormErrors.label(field));
            return 0;
        }
        return Integer.parseInt(text);
    }
}
