package org.azuremail.web.api;

import java.util.List;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;

/** A call that is answered with a problem: what happened, to what, and what to do next. */
public final class RefusedCall extends RuntimeException {

    private final HttpStatus status;
    private final ProblemCode code;
    private final List<FieldProblem> fields;
    private final HttpHeaders headers = new HttpHeaders();

    /**
     * The fault of one field of the call.
     *
     * @param field its name in the JSON or in the query
     */
    public record FieldProblem(String field, String message) {}

    private RefusedCall(HttpStatus status, ProblemCode code, String detail, List<FieldProblem> fields) {
        // An answer, not a failure: nobody reads where it was thrown, and many of them a second are usual.
        super(detail, null, false, false);
        this.status = status;
        this.code = code;
        this.fields = List.copyOf(fields);
    }

    public static RefusedCall of(HttpStatus status, ProblemCode code, String detail) {
        return new RefusedCall(status, code, detail, List.of());
    }

    public static RefusedCall notFound(String detail) {
        return of(HttpStatus.NOT_FOUND, ProblemCode.NOT_FOUND, detail);
    }

    public static RefusedCall conflict(ProblemCode code, String detail) {
        return of(HttpStatus.CONFLICT, code, detail);
    }

    /** The address is known, but not this method. */
    static RefusedCall notAllowed(String detail, Set<HttpMethod> allowed) {
        RefusedCall refused = of(HttpStatus.METHOD_NOT_ALLOWED, ProblemCode.METHOD_NOT_ALLOWED, detail);
        refused.headers.setAllow(allowed);
        return refused;
    }

    public static RefusedCall fields(List<FieldProblem> fields) {
        return new RefusedCall(
                HttpStatus.BAD_REQUEST, ProblemCode.FIELDS_REFUSED, "Some fields cannot be taken as they are.", fields);
    }

    public RefusedCall with(String header, String value) {
        headers.set(header, value);
        return this;
    }

    public HttpHeaders headers() {
        return headers;
    }

    public HttpStatus status() {
        return status;
    }

    public ProblemCode code() {
        return code;
    }

    public List<FieldProblem> fields() {
        return fields;
    }
}
