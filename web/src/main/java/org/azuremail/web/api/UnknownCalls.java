package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Answers calls with an unknown address or method with a problem instead of a page. */
@RestController
record UnknownCalls(ObjectProvider<RequestMappingHandlerMapping> mappings) {

    @RequestMapping({"/api", "/api/**"})
    void unknown(HttpServletRequest request) {
        String call = request.getMethod() + " " + request.getRequestURI();
        Set<HttpMethod> allowed = allowed(request);
        if (allowed.isEmpty()) {
            throw RefusedCall.notFound("There is no call " + call + ". docs/api.md lists all.");
        }
        RefusedCall refused = new RefusedCall(
                ProblemCode.METHOD_NOT_ALLOWED,
                "There is no call " + call + ". The header Allow lists the methods of this address.");
        refused.getHeaders().setAllow(allowed);
        throw refused;
    }

    private Set<HttpMethod> allowed(HttpServletRequest request) {
        return mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                .filter(call -> isAt(call, request))
                .flatMap(call -> call.getMethodsCondition().getMethods().stream())
                .flatMap(method -> method == RequestMethod.GET
                        ? Stream.of(RequestMethod.GET, RequestMethod.HEAD)
                        : Stream.of(method))
                .map(RequestMethod::asHttpMethod)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isAt(RequestMappingInfo call, HttpServletRequest request) {
        var addresses = call.getPathPatternsCondition();
        return addresses != null && addresses.getMatchingCondition(request) != null;
    }
}
