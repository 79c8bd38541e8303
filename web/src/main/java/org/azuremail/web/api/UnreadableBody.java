package org.azuremail.web.api;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Explains where a body is not what the call takes, and what was expected there. */
final class UnreadableBody {

    private static final String ONE_OBJECT = "The body is one JSON object, as {\"name\": \"value\"}";

    /** The beginning of Jackson's message; it has no type of its own. */
    private static final String DOUBLED = "Duplicate";

    private UnreadableBody() {}

    /** @param failure of the reading; without a Jackson failure among its causes there was no body, or {@code null} */
    static RefusedCall refusal(Throwable failure) {
        JacksonException cause = jackson(failure);
        if (cause == null) {
            return bad(ONE_OBJECT + "; there is none.");
        }
        String field = field(cause);
        if (cause instanceof UnrecognizedPropertyException unknown) {
            return RefusedCall.field(field, "Unknown field." + known(unknown.getKnownPropertyIds()));
        }
        if (cause instanceof WholeText.HalfCharacter) {
            return RefusedCall.field(field, "This text contains half a character: a surrogate without its other half.");
        }
        if (cause instanceof MismatchedInputException mismatched) {
            return field.isEmpty()
                    ? bad(ONE_OBJECT + ".")
                    : RefusedCall.field(field, expected(mismatched.getTargetType()));
        }
        if (cause instanceof StreamReadException && cause.getOriginalMessage().startsWith(DOUBLED)) {
            return RefusedCall.field(last(field, cause), "This field is there twice.");
        }
        String encoding = cause.getOriginalMessage().contains("UTF-8") ? "UTF-8" : "JSON";
        return bad("The body is not " + encoding + at(cause.getLocation()) + ".");
    }

    private static @Nullable JacksonException jackson(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof JacksonException)) {
            cause = cause.getCause();
        }
        return (JacksonException) cause;
    }

    /** The names on the way to the mistake, without places in lists. */
    private static String field(JacksonException cause) {
        return cause.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("."));
    }

    private static String last(String field, JacksonException cause) {
        String name = cause.processor() instanceof JsonParser parser ? parser.currentName() : null;
        if (name == null) {
            return field;
        }
        return field.isEmpty() ? name : field + "." + name;
    }

    private static String known(@Nullable Collection<Object> fields) {
        return fields == null || fields.isEmpty()
                ? ""
                : " Known fields: " + fields.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ".";
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == Boolean.class) {
            return "This is true or false, without quotes.";
        }
        if (type == Integer.class) {
            return "This is a whole number, without quotes.";
        }
        if (type != null && Collection.class.isAssignableFrom(type)) {
            return "This is a list: [\"…\"].";
        }
        if (type != null && Map.class.isAssignableFrom(type)) {
            return "This is an object of texts: {\"…\": \"…\"}.";
        }
        return "This is a text, in quotes.";
    }

    private static String at(@Nullable TokenStreamLocation where) {
        return where == null || where.getLineNr() < 1
                ? ""
                : ": line " + where.getLineNr() + ", column " + where.getColumnNr();
    }

    private static RefusedCall bad(String detail) {
        return new RefusedCall(ProblemCode.BODY_UNREADABLE, detail);
    }
}
