package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Finds the method that answers a request. Where an address holds a variable Spring asks every method of the service
 * whether it would answer, its verb, its parameters and all: a quarter of what a call of the API cost. Here only those
 * are asked whose address begins as the request's does, up to the first variable.
 */
final class NearbyMappings extends RequestMappingHandlerMapping {

    private final Map<RequestMappingInfo, List<String>> beginnings = new ConcurrentHashMap<>();

    /** A request on its search for a method. */
    private static final class Asking extends HttpServletRequestWrapper {

        private final String path;

        Asking(HttpServletRequest request, String path) {
            super(request);
            this.path = path;
        }
    }

    @Override
    protected @Nullable HandlerMethod lookupHandlerMethod(String path, HttpServletRequest request) throws Exception {
        return super.lookupHandlerMethod(path, isPlain(path) ? new Asking(request, path) : request);
    }

    /** Patterns are compared with what an address means, and only a plain one means what it says. */
    private static boolean isPlain(String path) {
        return path.indexOf('%') < 0 && path.indexOf(';') < 0;
    }

    @Override
    protected @Nullable RequestMappingInfo getMatchingMapping(RequestMappingInfo mapping, HttpServletRequest request) {
        return request instanceof Asking asking && isFar(mapping, asking.path)
                ? null
                : super.getMatchingMapping(mapping, request);
    }

    private boolean isFar(RequestMappingInfo mapping, String path) {
        for (String beginning : beginnings.computeIfAbsent(mapping, NearbyMappings::beginnings)) {
            if (path.startsWith(beginning)) {
                return false;
            }
        }
        return true;
    }

    private static List<String> beginnings(RequestMappingInfo mapping) {
        return mapping.getPatternValues().stream()
                .map(NearbyMappings::beginning)
                .toList();
    }

    /** What every address begins with that matches the pattern. */
    private static String beginning(String pattern) {
        int end = 0;
        while (end < pattern.length() && "{*?".indexOf(pattern.charAt(end)) < 0) {
            end++;
        }
        return pattern.substring(0, end);
    }
}
