package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.multipart.MultipartException;

/** Refuses a body that is not a form, even before its handler is known. */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class StrictForms {

    /** Called when the query or a form is not UTF-8, or is too large. */
    @ExceptionHandler(InvalidParameterException.class)
    void noParameters(HttpServletResponse response) throws IOException {
        response.sendError(HttpStatus.BAD_REQUEST.value());
    }

    @ExceptionHandler(MultipartException.class)
    void noForm(MultipartException strange, HttpServletResponse response) throws IOException {
        boolean large = strange instanceof MaxUploadSizeExceededException;
        response.sendError((large ? HttpStatus.CONTENT_TOO_LARGE : HttpStatus.BAD_REQUEST).value());
    }
}
