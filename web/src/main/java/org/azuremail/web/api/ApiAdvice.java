package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.CharacterCodingException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.azuremail.storage.StorageException;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.RetryAfter;
import org.azuremail.web.security.ProblemTypes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Turns refused calls into problems, including the calls that Spring itself refuses. */
@RestControllerAdvice(basePackageClasses = ApiAdvice.class)
class ApiAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ApiAdvice.class);

    private static final String ONE_OBJECT = "The body is one JSON object, as {\"name\": \"value\"}";

    private static final String BEYOND_LIMITS = "The body has more than a call can say. It has at most 20,000 names and"
            + " values, at most 20 levels, names of at most 1,000 characters and numbers of at most 100 digits.";

    /** The beginning of Jackson's message about a duplicate field; that failure has no exception type of its own. */
    private static final String DOUBLED = "Duplicate";

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        // A committed response means that reading the body was aborted, and Tomcat has answered.
        HttpServletResponse answer = ((ServletWebRequest) request).getResponse();
        return answer != null && answer.isCommitted() ? null : refused(unreadable(unreadable), request);
    }

    /** Handles query parameters only: every path variable is a string and cannot mismatch. */
    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String expected = mismatch.getRequiredType() == boolean.class ? "Use true or false." : "Use a whole number.";
        return refused(RefusedCall.field(String.valueOf(mismatch.getPropertyName()), expected), request);
    }

    @ExceptionHandler(PageCursor.UnknownCursorException.class)
    @Nullable
    ResponseEntity<Object> unknownCursor(WebRequest request) {
        return refused(
                RefusedCall.field("cursor", "This cursor is not valid. Use the one that came with the previous page."),
                request);
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> storage(StorageException failure, WebRequest request) {
        LOG.warn("A call failed: {}", failure.getMessage());
        String what = failure.reason() == StorageException.Reason.DENIED
                ? "The storage denies this service access, until its operator corrects that."
                : "The storage did not answer as it should.";
        return refused(
                new RefusedCall(ProblemCode.STORAGE_AWAY, what + " This call may or may not be done: repeat it.")
                        .with(HttpHeaders.RETRY_AFTER, RetryAfter.SECONDS),
                request);
    }

    private @Nullable ResponseEntity<Object> refused(RefusedCall refused, WebRequest request) {
        return handleErrorResponseException(refused, refused.getHeaders(), refused.getStatusCode(), request);
    }

    /**
     * Adds a code to the problems that Spring itself detects. Every refusal is a problem, even if {@code Accept} rules
     * that out or cannot be parsed.
     */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            ProblemTypes.nameByStatus(problem);
            headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    /** @param failure the read failure; if no cause is a Jackson exception, the body is missing or {@code null} */
    private static RefusedCall unreadable(Throwable failure) {
        JacksonException cause = jackson(failure);
        if (cause == null) {
            return bad(ONE_OBJECT + "; there is none.");
        }
        String field = field(cause);
        if (cause instanceof UnrecognizedPropertyException unknown) {
            return RefusedCall.field(field, "Unknown field." + known(unknown.getKnownPropertyIds()));
        }
        if (cause instanceof StrictJson.UnpairedSurrogateException) {
            return RefusedCall.field(field, "This text contains half a character: a surrogate without its other half.");
        }
        if (cause instanceof MismatchedInputException mismatched) {
            return field.isEmpty()
                    ? bad(ONE_OBJECT + ".")
                    : RefusedCall.field(field, expected(mismatched.getTargetType()));
        }
        if (cause instanceof InputCoercionException) {
            return RefusedCall.field(field, "This number is out of range.");
        }
        if (cause instanceof StreamConstraintsException) {
            return bad(BEYOND_LIMITS);
        }
        if (cause instanceof StreamReadException && cause.getOriginalMessage().startsWith(DOUBLED)) {
            return RefusedCall.field(last(field, cause), "This field is there twice.");
        }
        if (cause.getCause() instanceof CharacterCodingException) {
            return bad("The body is not UTF-8.");
        }
        return bad("The body is not JSON" + at(cause.getLocation()) + ".");
    }

    private static @Nullable JacksonException jackson(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof JacksonException)) {
            cause = cause.getCause();
        }
        return (JacksonException) cause;
    }

    /** Returns the names of the fields on the path to the faulty value, without list indexes. */
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
