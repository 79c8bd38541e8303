package org.azuremail.web.membership;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Converts every form of a one-click request into the one that {@link UnsubscribePages} handles. RFC 8058, section 3.1,
 * requires {@code multipart/form-data} or a URL-encoded form. Mail programs also append a line end to it, or send
 * another type or none. The secret in the address is the proof, so the words in the body need no particular format.
 * Only POSTs to {@code /unsubscribe} are read, and at most {@value #MAX_BYTES} bytes of each.
 */
@Component
final class OneClickFilter extends OncePerRequestFilter {

    static final String NAME = "List-Unsubscribe";
    static final String VALUE = "One-Click";

    private static final int MAX_BYTES = 8192;

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getMethod().equals("POST") || !request.getRequestURI().equals("/unsubscribe");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String type = request.getContentType();
        boolean form = isForm(type);
        String other = form ? "" : body(request);
        boolean oneClick = form ? containsOneClick(request.getParameterMap()) : containsOneClick(other);
        boolean unchanged = !oneClick && (form || (type == null && other.isEmpty()));
        chain.doFilter(unchanged ? request : new NormalizedRequest(request, oneClick), response);
    }

    private static boolean isForm(@Nullable String contentType) {
        return contentType != null
                && contentType.strip().toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    private static boolean containsOneClick(Map<String, String[]> parameters) {
        return parameters.entrySet().stream()
                .filter(one -> one.getKey().strip().equalsIgnoreCase(NAME))
                .flatMap(one -> List.of(one.getValue()).stream())
                .anyMatch(value -> value.strip().equalsIgnoreCase(VALUE));
    }

    private static boolean containsOneClick(String body) {
        String text = body.toLowerCase(Locale.ROOT).replace("%2d", "-");
        int name = text.indexOf(NAME.toLowerCase(Locale.ROOT));
        return name >= 0 && text.indexOf(VALUE.toLowerCase(Locale.ROOT), name) >= 0;
    }

    private static String body(HttpServletRequest request) throws IOException {
        return new String(request.getInputStream().readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
    }

    /**
     * A URL-encoded form with an empty body. It has the parameters of the address, and the request's one click, if any.
     */
    private static final class NormalizedRequest extends HttpServletRequestWrapper {

        private final Map<String, String[]> parameters;

        NormalizedRequest(HttpServletRequest request, boolean oneClick) {
            super(request);
            this.parameters = queryParameters(request.getQueryString());
            if (oneClick) {
                parameters.put(NAME, new String[] {VALUE});
            }
        }

        /**
         * Parses the query here, because the container would search the body for a form, too, and fail if it has none.
         */
        private static Map<String, String[]> queryParameters(@Nullable String query) {
            Map<String, String[]> found = new LinkedHashMap<>();
            UriComponentsBuilder.newInstance()
                    .query(Objects.requireNonNullElse(query, ""))
                    .build()
                    .getQueryParams()
                    .forEach((name, values) -> {
                        String value = values.get(0);
                        found.putIfAbsent(decoded(name), new String[] {value == null ? "" : decoded(value)});
                    });
            return found;
        }

        private static String decoded(String text) {
            try {
                return URLDecoder.decode(text, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException damaged) {
                return text;
            }
        }

        @Override
        public String getContentType() {
            return MediaType.APPLICATION_FORM_URLENCODED_VALUE;
        }

        @Override
        public String getHeader(String name) {
            return name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) ? getContentType() : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)
                    ? Collections.enumeration(List.of(getContentType()))
                    : super.getHeaders(name);
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            return parameters;
        }

        @Override
        public @Nullable String getParameter(String name) {
            String[] values = parameters.get(name);
            return values == null ? null : values[0];
        }

        @Override
        public String @Nullable [] getParameterValues(String name) {
            return parameters.get(name);
        }

        @Override
        public Enumeration<String> getParameterNames() {
            return Collections.enumeration(parameters.keySet());
        }
    }
}
