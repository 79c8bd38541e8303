package org.azuremail.web.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.limit.Limits;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a call and collects what is wrong with them, so that all of it is told at once. */
public final class Fields {

    public static final String NOT_AN_ADDRESS =
            "This is not an e-mail address. One looks like ann@example.org, and has at most " + EmailAddress.MAX_LENGTH
                    + " characters, 64 of them before the @.";

    private final List<RefusedCall.FieldProblem> problems = new ArrayList<>();

    public void refuse(String field, String message) {
        problems.add(new RefusedCall.FieldProblem(field, message));
    }

    public boolean anyRefused() {
        return !problems.isEmpty();
    }

    /** For the findings of a second reader: a field that is wrong already is reported once. */
    public void refuseUnlessRefused(String field, String message) {
        if (problems.stream().noneMatch(problem -> problem.field().equals(field))) {
            refuse(field, message);
        }
    }

    /** A field that has to be there and to be of a kind. */
    public <T> Optional<T> required(
            String field, @Nullable String value, Function<String, Optional<T>> reader, String refusal) {
        if (value == null || value.isBlank()) {
            refuse(field, "This field is missing.");
            return Optional.empty();
        }
        return optional(field, value, reader, refusal);
    }

    /** A field that may be missing, but has to be of a kind. */
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

    public Optional<EmailAddress> requiredAddress(String field, @Nullable String value) {
        return required(field, value, EmailAddress::parse, NOT_AN_ADDRESS);
    }

    /** A text that may be in a header. */
    public String line(String field, @Nullable String value) {
        String text = value == null ? "" : value.strip();
        if (!MailingList.isLine(text)) {
            refuse(
                    field,
                    "This is one line of at most " + MailingList.MAX_LINE + " characters, without control characters.");
            return "";
        }
        return text;
    }

    /** A limit of emails; one that is missing stays as it is. */
    public int limit(String field, @Nullable Integer wanted, int now) {
        if (wanted == null) {
            return now;
        }
        if (wanted < 0 || wanted > Limits.HIGHEST) {
            refuse(field, "Say a whole number from 0 to " + Limits.HIGHEST + "; 0 is no limit.");
            return now;
        }
        return wanted;
    }

    /** @throws RefusedCall when a page cannot have so many items */
    public static void requireLimit(int limit, int highest) {
        if (limit < 1 || limit > highest) {
            Fields fields = new Fields();
            fields.refuse("limit", "Say 1 to " + highest + ".");
            throw fields.refusal();
        }
    }

    /** @throws RefusedCall when something was wrong */
    public void check() {
        if (!problems.isEmpty()) {
            throw refusal();
        }
    }

    /** The faults of a message. */
    public static RefusedCall refusal(List<Problem> wrong) {
        Fields fields = new Fields();
        wrong.forEach(problem -> fields.refuse(problem.field(), problem.message()));
        return fields.refusal();
    }

    public RefusedCall refusal() {
        return RefusedCall.fields(problems);
    }
}
