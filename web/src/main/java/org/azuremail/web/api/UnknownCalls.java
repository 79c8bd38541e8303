package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers what is none of the calls, so that programs get a problem and not a page. */
@RestController
class UnknownCalls {

    @RequestMapping("/api/**")
    void unknown(HttpServletRequest request) {
        throw RefusedCall.notFound(
                "There is no call " + request.getMethod() + " " + request.getRequestURI() + ". docs/api.md lists all.");
    }
}
