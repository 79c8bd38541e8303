package org.azuremail.web.api;

import java.util.List;
import org.azuremail.web.security.ProblemTypes;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A call that is answered with a problem: what happened, to what, and what to do next. */
public final class RefusedCall extends ErrorResponseException {

    private final ProblemCode code;

    /** @param field its name in the JSON or in the query */
    public record FieldProblem(String field, String message) {}

    public RefusedCall(ProblemCode code, String detail) {
        this(code.status(), code, detail);
    }

    /** For a call that answers with another status than the code's usual one. */
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

    /** An answer, not a failure: nobody reads where it was thrown, and many of them a second are usual. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
