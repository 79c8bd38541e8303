package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Finds the method that answers a request. Where an address holds a variable, Spring asks every method of the service
 * whether it would answer: its verb, its parameters and all, a quarter of what a call of the API cost. Here only those
 * are asked whose address begins as the request's does, up to the first variable. Where several would answer, the one that Spring
 * ranks first does; where none would, or two have the same rank, Spring decides.
 */
final class NearbyMappings extends RequestMappingHandlerMapping {

    private volatile List<Mapped> all = List.of();

    /**
     * A method, by an address that it answers.
     *
     * @param beginning what every such address begins with
     */
    private record Mapped(String beginning, RequestMappingInfo mapping, HandlerMethod method) {

        static Mapped of(String pattern, RequestMappingInfo mapping, HandlerMethod method) {
            int end = 0;
            while (end < pattern.length() && "{*?".indexOf(pattern.charAt(end)) < 0) {
                end++;
            }
            return new Mapped(pattern.substring(0, end), mapping, method);
        }
    }

    @Override
    public void afterPropertiesSet() {
        super.afterPropertiesSet();
        List<Mapped> found = new ArrayList<>();
        getHandlerMethods().forEach((mapping, method) -> mapping.getPatternValues()
                .forEach(pattern -> found.add(Mapped.of(pattern, mapping, method))));
        all = List.copyOf(found);
    }

    @Override
    protected @Nullable HandlerMethod lookupHandlerMethod(String path, HttpServletRequest request) throws Exception {
        RequestMappingInfo match = null;
        HandlerMethod method = null;
        for (Mapped mapped : isPlain(path) ? all : List.<Mapped>of()) {
            RequestMappingInfo next =
                    path.startsWith(mapped.beginning) ? getMatchingMapping(mapped.mapping, request) : null;
            int rank = next == null || match == null
                    ? -1
                    : getMappingComparator(request).compare(next, match);
            if (rank == 0) {
                return super.lookupHandlerMethod(path, request);
            }
            if (next != null && rank < 0) {
                match = next;
                method = mapped.method;
            }
        }
        if (match == null || method == null) {
            return super.lookupHandlerMethod(path, request);
        }
        HandlerMethod answering = method.createWithResolvedBean();
        request.setAttribute(BEST_MATCHING_HANDLER_ATTRIBUTE, answering);
        handleMatch(match, path, request);
        return answering;
    }

    /** Patterns are compared with what an address means, and only a plain one means what it says. */
    private static boolean isPlain(String path) {
        return path.indexOf('%') < 0 && path.indexOf(';') < 0;
    }
}
