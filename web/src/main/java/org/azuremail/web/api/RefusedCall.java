package org.azuremail.web.api;

import java.util.List;
import org.azuremail.web.security.ProblemTypes;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A refusal of a call, answered with a problem that says what happened, to what, and what to do next. */
public final class RefusedCall extends ErrorResponseException {

    private final ProblemCode code;

    /** @param field the name of a field in the JSON body, or of a query parameter */
    public record FieldProblem(String field, String message) {}

    public RefusedCall(ProblemCode code, String detail) {
        this(code.status(), code, detail);
    }

    /** Creates a refusal whose status differs from the code's usual one. */
    public RefusedCall(HttpStatus status, ProblemCode code, String detail) {
        super(status, ProblemDetail.forStatusAndDetail(status, detail), null);
        this.code = code;
        ProblemTypes.name(getBody(), code.word());
    }

    public static RefusedCall notFound(String detail) {
        return new RefusedCall(ProblemCode.NOT_FOUND, detail);
    }

    public static RefusedCall noList(Object name) {
        return notFound("There is no list " + name + ".");
    }

    public static RefusedCall field(String field, String message) {
        return fields(List.of(new FieldProblem(field, message)));
    }

    static RefusedCall fields(List<FieldProblem> fields) {
        RefusedCall refused = new RefusedCall(ProblemCode.FIELDS_REFUSED, "Some fields are not valid.");
        refused.getBody().setProperty("errors", List.copyOf(fields));
        return refused;
    }

    public RefusedCall with(String header, String value) {
        getHeaders().set(header, value);
        return this;
    }

    public ProblemCode code() {
        return code;
    }

    /** Omits the stack trace: a refusal is an answer, not a failure, and many may occur per second. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
