package org.azuremail.web.layout;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Optional;
import org.azuremail.storage.CommitHealth;
import org.azuremail.storage.StorageException;
import org.azuremail.web.layout.PageNotFoundException.ErrorText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorViewResolver;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.servlet.ModelAndView;

/** The error pages, which say what happened and what to do next. */
@ControllerAdvice(annotations = Controller.class)
record ErrorPages(PageFrame frame, CommitHealth commitHealth) implements ErrorViewResolver {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorPages.class);

    static final String PAGE = "error/page";

    private static final String PROBLEM = "problem";

    @ExceptionHandler
    ModelAndView pageNotFound(PageNotFoundException missing, HttpServletRequest request) {
        return page(HttpStatus.NOT_FOUND, "404", missing.errorText(), request);
    }

    /** Shows that the page does not exist if a variable in its address is not a valid name. */
    @ExceptionHandler(MethodArgumentTypeMismatchException.class)
    ModelAndView malformedPathVariable(HttpServletRequest request) {
        return page(HttpStatus.NOT_FOUND, "404", null, request);
    }

    @ExceptionHandler
    ModelAndView textInsteadOfFile(FormFiles.TextForFileException sent, HttpServletRequest request) {
        return page(
                HttpStatus.BAD_REQUEST,
                "4xx",
                new ErrorText("text-for-a-file", String.valueOf(sent.getMessage())),
                request);
    }

    @ExceptionHandler
    ModelAndView incompleteAddress(MissingServletRequestParameterException missing, HttpServletRequest request) {
        boolean list = missing.getParameterName().equals("list");
        return page(HttpStatus.BAD_REQUEST, "4xx", list ? new ErrorText("choose-list") : null, request);
    }

    @ExceptionHandler(PageCursor.UnknownCursorException.class)
    ModelAndView unknownCursor(HttpServletRequest request) {
        return page(HttpStatus.BAD_REQUEST, "4xx", new ErrorText("no-such-page"), request);
    }

    @ExceptionHandler(MaxUploadSizeExceededException.class)
    ModelAndView tooLarge(HttpServletRequest request) {
        return page(HttpStatus.CONTENT_TOO_LARGE, "413", null, request);
    }

    @ExceptionHandler
    ModelAndView storage(StorageException failure, HttpServletRequest request) {
        LOG.warn("page failed: {}", failure.getMessage());
        setRetryAfter(failure);
        return page(HttpStatus.SERVICE_UNAVAILABLE, problem(failure), null, request);
    }

    private ModelAndView page(
            HttpStatus status, String problem, @Nullable ErrorText errorText, HttpServletRequest request) {
        return new ModelAndView(PAGE, frame.around(request), status)
                .addObject(PROBLEM, problem)
                .addObject("told", errorText);
    }

    /** Returns the page for failures outside the handlers, such as a missing form token. */
    @Override
    public ModelAndView resolveErrorView(HttpServletRequest request, HttpStatus status, Map<String, Object> model) {
        Optional<StorageException> storage = storageFailure(request);
        storage.ifPresent(ErrorPages::setRetryAfter);
        Object signIn = request.getAttribute(ErrorText.SIGN_IN_ATTRIBUTE);
        Object errorText = request.getAttribute(ErrorText.FILTER_ATTRIBUTE);
        return new ModelAndView(PAGE, model, storage.isPresent() ? HttpStatus.SERVICE_UNAVAILABLE : status)
                .addObject(PROBLEM, storage.map(this::problem).orElseGet(() -> problem(status)))
                .addObject("signIn", signIn)
                .addObject("told", signIn == null ? errorText : new ErrorText("signed-out"));
    }

    /**
     * Returns the code of a problem. The texts of its page are {@code error-page.<problem>.title} and {@code .text}.
     */
    private static String problem(HttpStatus status) {
        return switch (status) {
            case FORBIDDEN, NOT_FOUND, REQUEST_TIMEOUT, CONTENT_TOO_LARGE, SERVICE_UNAVAILABLE ->
                String.valueOf(status.value());
            default -> status.is5xxServerError() ? "5xx" : "4xx";
        };
    }

    private String problem(StorageException failure) {
        if (commitHealth.isFailing()) {
            return "not-saved";
        }
        return switch (failure.reason()) {
            case THROTTLED, UNAVAILABLE, TIMED_OUT -> "storage";
            case DENIED -> "storage-denied";
            case CORRUPT, MISSING, UNKNOWN -> "storage-failed";
        };
    }

    /** Sets the header {@code Retry-After} if waiting helps (RFC 9110, 10.2.3). */
    private static void setRetryAfter(StorageException failure) {
        ServletRequestAttributes now = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
        HttpServletResponse response = now.getResponse();
        if (failure.retryable() && response != null) {
            response.setHeader(HttpHeaders.RETRY_AFTER, RetryAfter.SECONDS);
        }
    }

    static Optional<StorageException> storageFailure(HttpServletRequest request) {
        Throwable cause = (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        while (cause != null && !(cause instanceof StorageException)) {
            cause = cause.getCause();
        }
        return Optional.ofNullable((StorageException) cause);
    }
}
