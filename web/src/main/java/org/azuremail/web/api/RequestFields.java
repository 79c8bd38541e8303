package org.azuremail.web.api;

import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.id.AsciiWord;
import org.azuremail.limit.Limits;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a call and collects their errors, so that one answer reports all of them. */
public final class RequestFields {

    public static final String NOT_AN_ADDRESS =
            "This is not an email address. Use one like ann@example.org, with at most " + EmailAddress.MAX_LENGTH
                    + " characters, 64 of them before the @.";

    public static final String MISSING = "This field is missing.";

    private final List<RefusedCall.FieldProblem> problems = new ArrayList<>();

    public void refuse(String field, String message) {
        problems.add(new RefusedCall.FieldProblem(field, message));
    }

    public boolean anyRefused() {
        return !problems.isEmpty();
    }

    public void refuseUnlessRefused(String field, String message) {
        if (problems.stream().noneMatch(problem -> problem.field().equals(field))) {
            refuse(field, message);
        }
    }

    public <T> Optional<T> required(
            String field, @Nullable String value, Function<String, Optional<T>> reader, String refusal) {
        if (value == null || value.isBlank()) {
            refuse(field, MISSING);
            return Optional.empty();
        }
        return optional(field, value, reader, refusal);
    }

    public <T> Optional<T> optional(
            String field, @Nullable String value, Function<String, Optional<T>> reader, String refusal) {
        if (value == null || value.isBlank()) {
            return Optional.empty();
        }
        Optional<T> read = reader.apply(value);
        if (read.isEmpty()) {
            refuse(field, refusal);
        }
        return read;
    }

    /** Returns the constant with this name, in any case; empty if the value is missing or refused. */
    public <E extends Enum<E>> Optional<E> word(
            String field, @Nullable String value, Class<E> constants, String refusal) {
        return optional(field, value, typed -> constant(typed, constants), refusal);
    }

    public static <E extends Enum<E>> Optional<E> constant(String typed, Class<E> constants) {
        return AsciiWord.find(constants, Enum::name, typed);
    }

    /** Returns a reader that refuses the values for which the parser throws. */
    public static <T> Function<String, Optional<T>> parsed(Function<String, T> parser) {
        return typed -> {
            try {
                return Optional.of(parser.apply(typed));
            } catch (IllegalArgumentException | DateTimeException notReadable) {
                return Optional.empty();
            }
        };
    }

    public Optional<EmailAddress> requiredAddress(String field, @Nullable String value) {
        return required(field, value, EmailAddress::parse, NOT_AN_ADDRESS);
    }

    /** Returns the stripped value, which must be a single line that a header can contain. */
    public String line(String field, @Nullable String value) {
        String text = value == null ? "" : value.strip();
        if (!MailingList.isLine(text)) {
            refuse(field, lineOf(MailingList.MAX_LINE));
            return "";
        }
        return text;
    }

    private static String lineOf(int longest) {
        return "This is one line of at most " + longest + " characters, without control characters.";
    }

    /**
     * Returns the stripped reason that an admin gives for suppressing or releasing a person.
     *
     * @throws RefusedCall if the reason is too long or contains control characters
     */
    public static String why(@Nullable String value, int longest) {
        String why = value == null ? "" : value.strip();
        if (why.length() > longest) {
            throw RefusedCall.field("why", "This has at most " + longest + " characters.");
        }
        if (!MailingList.isText(why)) {
            throw RefusedCall.field("why", lineOf(longest));
        }
        return why;
    }

    /** Returns a limit of emails; a missing or refused value keeps the current one. */
    public int limit(String field, @Nullable Integer wanted, int now) {
        if (wanted == null) {
            return now;
        }
        if (wanted < 0 || wanted > Limits.HIGHEST) {
            refuse(field, "Use a whole number from 0 to " + Limits.HIGHEST + "; 0 is no limit.");
            return now;
        }
        return wanted;
    }

    /** @throws RefusedCall if the value is missing or cannot be read */
    public static <T> T require(
            String field, @Nullable String value, Function<String, Optional<T>> reader, String refusal) {
        RequestFields fields = new RequestFields();
        Optional<T> read = fields.required(field, value, reader, refusal);
        fields.check();
        return read.orElseThrow();
    }

    /** @throws RefusedCall if a field was refused */
    public void check() {
        if (!problems.isEmpty()) {
            throw RefusedCall.fields(problems);
        }
    }

    /** Returns a refusal that reports the given faults. */
    public static RefusedCall refusal(List<Problem> faults) {
        return RefusedCall.fields(faults.stream()
                .map(fault -> new RefusedCall.FieldProblem(fault.field(), fault.message()))
                .toList());
    }
}
