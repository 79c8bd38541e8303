package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Finds the method that answers a request. For an address with a variable, Spring compares the verb, the parameters and
 * all other conditions of every method, which took a quarter of the time of an API call. This class compares only
 * methods whose address begins like the request's, up to the first variable. Of several matches, it chooses the one
 * that Spring ranks first. If no method matches, or two have the same rank, Spring decides.
 */
final class PrefixHandlerMapping extends RequestMappingHandlerMapping {

    /** The number of slashes in the prefix by which methods are looked up: {@code /api/v1/lists/}. */
    private static final int PARTS = 4;

    /** The methods by address prefix. Each entry also has the methods whose addresses are too short for a prefix. */
    private volatile Map<String, List<Mapped>> byPrefix = Map.of();

    /**
     * A method with one of its addresses.
     *
     * @param beginning the part of the address before the first variable
     */
    private record Mapped(String beginning, RequestMappingInfo mapping, HandlerMethod method) {

        static Mapped of(String pattern, RequestMappingInfo mapping, HandlerMethod method) {
            return new Mapped(pattern.split("[{*?]", 2)[0], mapping, method);
        }
    }

    @Override
    public void afterPropertiesSet() {
        super.afterPropertiesSet();
        List<Mapped> all = new ArrayList<>();
        getHandlerMethods().forEach((mapping, method) -> mapping.getPatternValues()
                .forEach(pattern -> all.add(Mapped.of(pattern, mapping, method))));
        Map<String, List<Mapped>> found = new HashMap<>();
        found.put("", new ArrayList<>());
        all.forEach(mapped -> found.put(prefix(mapped.beginning), new ArrayList<>()));
        found.forEach((parts, near) -> all.stream()
                .filter(mapped -> List.of("", parts).contains(prefix(mapped.beginning)))
                .forEach(near::add));
        byPrefix = found;
    }

    /** Returns the prefix of an address; empty if the address is too short. */
    private static String prefix(String address) {
        int end = -1;
        for (int part = 0; part < PARTS; part++) {
            end = address.indexOf('/', end + 1);
            if (end < 0) {
                return "";
            }
        }
        return address.substring(0, end);
    }

    @Override
    protected @Nullable HandlerMethod lookupHandlerMethod(String path, HttpServletRequest request) throws Exception {
        RequestMappingInfo match = null;
        HandlerMethod method = null;
        for (Mapped mapped : near(path)) {
            // A method with several addresses is compared once, or it would tie with itself.
            boolean asked = path.startsWith(mapped.beginning) && !mapped.method.equals(method);
            RequestMappingInfo next = asked ? getMatchingMapping(mapped.mapping, request) : null;
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

    private List<Mapped> near(String path) {
        Map<String, List<Mapped>> known = byPrefix;
        return isPlain(path) ? known.getOrDefault(prefix(path), known.getOrDefault("", List.of())) : List.of();
    }

    /** Returns whether decoding would leave the address unchanged. Spring compares decoded addresses. */
    private static boolean isPlain(String path) {
        return path.indexOf('%') < 0 && path.indexOf(';') < 0;
    }
}
