package org.azuremail.web.api;

import java.util.List;
import org.azuremail.storage.StorageException;
import org.azuremail.web.security.ProblemTypes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** The one place where calls are refused; Spring's own refusals pass here too. */
@RestControllerAdvice(basePackageClasses = ApiAdvice.class)
class ApiAdvice extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ApiAdvice.class);
    private static final String RETRY_SECONDS = "10";

    @ExceptionHandler
    ResponseEntity<Object> refused(RefusedCall refused) {
        ProblemDetail problem = problem(refused.status(), refused.code(), String.valueOf(refused.getMessage()));
        if (!refused.fields().isEmpty()) {
            problem.setProperty("errors", refused.fields());
        }
        return ResponseEntity.status(refused.status())
                .headers(refused.headers())
                .body(problem);
    }

    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return refused(UnreadableBody.refusal(unreadable));
    }

    /** A parameter of the query; paths hold nothing but texts. */
    @Override
    protected ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String field = String.valueOf(mismatch.getPropertyName());
        String expected = mismatch.getRequiredType() == boolean.class ? "Say true or false." : "Say a whole number.";
        return refused(RefusedCall.fields(List.of(new RefusedCall.FieldProblem(field, expected))));
    }

    /** The problems that Spring finds by itself have a name, too. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            ProblemTypes.nameByStatus(problem);
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> storage(StorageException failure) {
        log.warn("A call failed: {}", failure.getMessage());
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .body(problem(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        ProblemCode.STORAGE_AWAY,
                        "The storage did not answer as it should. Nobody knows how far this call came; repeat it."));
    }

    private static ProblemDetail problem(HttpStatus status, ProblemCode code, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setTitle(status.getReasonPhrase());
        ProblemTypes.name(problem, code.word());
        return problem;
    }
}
