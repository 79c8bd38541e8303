package org.azuremail.web.layout;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.azuremail.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorViewResolver;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.servlet.ModelAndView;

/** Pages for what went wrong: they say what happened and what to do next. */
@ControllerAdvice(annotations = Controller.class)
class ErrorPages implements ErrorViewResolver {

    private static final Logger log = LoggerFactory.getLogger(ErrorPages.class);

    private final PageFrame frame;

    ErrorPages(PageFrame frame) {
        this.frame = frame;
    }

    @ExceptionHandler(NotHere.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    String notHere(NotHere missing, HttpServletRequest request, Model model) {
        model.addAllAttributes(frame.around(request));
        model.addAttribute("sentence", missing.getMessage());
        return "error/404";
    }

    @ExceptionHandler(MethodArgumentTypeMismatchException.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    String notEvenAName(HttpServletRequest request, Model model) {
        model.addAllAttributes(frame.around(request));
        return "error/404";
    }

    @ExceptionHandler(TextForAFile.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    String notAFile(TextForAFile sent, HttpServletRequest request, Model model) {
        model.addAllAttributes(frame.around(request));
        model.addAttribute("sentence", sent.getMessage());
        return "error/4xx";
    }

    @ExceptionHandler(PageCursor.Unknown.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    String noSuchPage(PageCursor.Unknown missing, HttpServletRequest request, Model model) {
        model.addAllAttributes(frame.around(request));
        model.addAttribute("sentence", missing.getMessage());
        return "error/4xx";
    }

    @ExceptionHandler(MaxUploadSizeExceededException.class)
    @ResponseStatus(HttpStatus.CONTENT_TOO_LARGE)
    String tooLarge(HttpServletRequest request, Model model) {
        model.addAllAttributes(frame.around(request));
        return "error/413";
    }

    @ExceptionHandler(StorageException.class)
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    String storage(StorageException failure, HttpServletRequest request, Model model) {
        model.addAllAttributes(frame.around(request));
        log.warn("page failed: {}", failure.getMessage());
        return "error/storage";
    }

    /** A failure outside the pages themselves, as when a session is looked up or a form's token is missing. */
    @Override
    public ModelAndView resolveErrorView(HttpServletRequest request, HttpStatus status, Map<String, Object> model) {
        return storageFailure(request)
                .map(failure -> new ModelAndView("error/storage", model, HttpStatus.SERVICE_UNAVAILABLE))
                .orElseGet(() -> new ModelAndView(page(status), model, status));
    }

    private static String page(HttpStatus status) {
        return switch (status) {
            case FORBIDDEN -> "error/403";
            case NOT_FOUND -> "error/404";
            case REQUEST_TIMEOUT -> "error/408";
            case CONTENT_TOO_LARGE -> "error/413";
            default -> status.is5xxServerError() ? "error/5xx" : "error/4xx";
        };
    }

    private static Optional<StorageException> storageFailure(HttpServletRequest request) {
        Throwable cause = (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        while (cause != null && !(cause instanceof StorageException)) {
            cause = cause.getCause();
        }
        return Optional.ofNullable((StorageException) cause);
    }
}
