package org.azuremail.web.sending;

import java.util.Optional;
import org.azuremail.limit.Limits;
import org.azuremail.web.layout.Faults;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;

/** The limits as somebody typed them; an empty field is no limit. */
public record LimitForm(
        @Nullable String second,
        @Nullable String minute,
        @Nullable String hour,
        @Nullable String day) {

    static LimitForm of(Limits limits) {
        return new LimitForm(
                typed(limits.perSecond()), typed(limits.perMinute()), typed(limits.perHour()), typed(limits.perDay()));
    }

    public static String typed(int limit) {
        return limit == 0 ? "" : String.valueOf(limit);
    }

    /** The limits; what is wrong is said at its field. */
    Optional<Limits> limits(BindingResult errors) {
        int perSecond = number("second", second, errors);
        int perMinute = number("minute", minute, errors);
        int perHour = number("hour", hour, errors);
        int perDay = number("day", day, errors);
        return errors.hasErrors() ? Optional.empty() : Optional.of(new Limits(perSecond, perMinute, perHour, perDay));
    }

    /** What stands in one field; what is wrong is said at it. */
    public static int number(String field, @Nullable String typed, Errors errors) {
        String text = typed == null ? "" : typed.strip();
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) > Limits.HIGHEST) {
            Faults.reject(errors, field, "error.sending.limit", Limits.HIGHEST, Faults.label(field));
            return 0;
        }
        return Integer.parseInt(text);
    }
}
