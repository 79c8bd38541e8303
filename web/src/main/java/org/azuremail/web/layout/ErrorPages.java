package org.azuremail.web.layout;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.azuremail.storage.StorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorViewResolver;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.MissingServletRequestParameterException;
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

    private static final String PAGE = "error/page";
    private static final String PROBLEM = "problem";
    private static final String STORAGE = "storage";

    private final PageFrame frame;

    ErrorPages(PageFrame frame) {
        this.frame = frame;
    }

    @ExceptionHandler(NotHere.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    String notHere(NotHere missing, HttpServletRequest request, Model model) {
        return show("404", missing.told(), request, model);
    }

    @ExceptionHandler(MethodArgumentTypeMismatchException.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    String notEvenAName(HttpServletRequest request, Model model) {
        return show("404", null, request, model);
    }

    @ExceptionHandler(TextForAFile.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    String notAFile(TextForAFile sent, HttpServletRequest request, Model model) {
        return show("4xx", new NotHere.Told("text-for-a-file", new Object[] {sent.field()}), request, model);
    }

    @ExceptionHandler(MissingServletRequestParameterException.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    String incompleteAddress(MissingServletRequestParameterException missing, HttpServletRequest request, Model model) {
        boolean list = missing.getParameterName().equals("list");
        return show("4xx", list ? new NotHere.Told("choose-list", new Object[0]) : null, request, model);
    }

    @ExceptionHandler(PageCursor.Unknown.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    String noSuchPage(HttpServletRequest request, Model model) {
        return show("4xx", new NotHere.Told("no-such-page", new Object[0]), request, model);
    }

    @ExceptionHandler(MaxUploadSizeExceededException.class)
    @ResponseStatus(HttpStatus.CONTENT_TOO_LARGE)
    String tooLarge(HttpServletRequest request, Model model) {
        return show("413", null, request, model);
    }

    @ExceptionHandler(StorageException.class)
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    String storage(StorageException failure, HttpServletRequest request, Model model) {
        log.warn("page failed: {}", failure.getMessage());
        return show(STORAGE, null, request, model);
    }

    private String show(String problem, NotHere.@Nullable Told told, HttpServletRequest request, Model model) {
        model.addAllAttributes(frame.around(request));
        model.addAttribute(PROBLEM, problem);
        model.addAttribute("told", told);
        return PAGE;
    }

    /** A failure outside the pages themselves, as when a session is looked up or a form's token is missing. */
    @Override
    public ModelAndView resolveErrorView(HttpServletRequest request, HttpStatus status, Map<String, Object> model) {
        boolean storage = storageFailure(request).isPresent();
        return new ModelAndView(PAGE, model, storage ? HttpStatus.SERVICE_UNAVAILABLE : status)
                .addObject(PROBLEM, storage ? STORAGE : problem(status))
                .addObject("told", request.getAttribute(NotHere.Told.OF_FILTER));
    }

    /** The texts of a page are {@code error-page.<problem>.title} and {@code .text}. */
    private static String problem(HttpStatus status) {
        return switch (status) {
            case FORBIDDEN, NOT_FOUND, REQUEST_TIMEOUT, CONTENT_TOO_LARGE -> String.valueOf(status.value());
            default -> status.is5xxServerError() ? "5xx" : "4xx";
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
