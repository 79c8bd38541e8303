package org.azuremail.web.api;

import org.azuremail.storage.StorageException;
import org.azuremail.web.security.ProblemTypes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Answers refused calls with problems, including those that Spring refuses. */
@RestControllerAdvice(basePackageClasses = ApiAdvice.class)
class ApiAdvice extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ApiAdvice.class);
    private static final String RETRY_SECONDS = "10";

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return refused(UnreadableBody.refusal(unreadable), request);
    }

    /** A parameter of the query; the variables of paths are all texts. */
    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String expected = mismatch.getRequiredType() == boolean.class ? "Use true or false." : "Use a whole number.";
        return refused(RefusedCall.field(String.valueOf(mismatch.getPropertyName()), expected), request);
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Object> storage(StorageException failure, WebRequest request) {
        log.warn("A call failed: {}", failure.getMessage());
        return refused(
                new RefusedCall(
                                ProblemCode.STORAGE_AWAY,
                                "The storage did not answer as it should. This call may or may not be done: repeat it.")
                        .with(HttpHeaders.RETRY_AFTER, RETRY_SECONDS),
                request);
    }

    private @Nullable ResponseEntity<Object> refused(RefusedCall refused, WebRequest request) {
        return handleErrorResponseException(refused, refused.getHeaders(), refused.getStatusCode(), request);
    }

    /** Gives a code to the problems that Spring finds by itself, too. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            ProblemTypes.nameByStatus(problem);
        }
        return super.createResponseEntity(body, headers, status, request);
    }
}
