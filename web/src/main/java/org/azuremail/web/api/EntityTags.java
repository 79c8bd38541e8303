package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The conditions of a call and the entity tag of its answer (RFC 9110, 8.8.3 and 13.1): an argument of its method. Tags are
 * strong and opaque. A tag covers what a change may concern, and not what changes by itself, as the counts of a message do: so
 * it is no condition of a {@code GET}, which always answers.
 */
public record EntityTags(HttpServletRequest request, HttpServletResponse response) {

    private static final String ANY = "*";

    public static String of(String etag) {
        byte[] bytes = etag.getBytes(StandardCharsets.UTF_8);
        return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + '"';
    }

    public void setEtag(String etag) {
        response.setHeader(HttpHeaders.ETAG, of(etag));
    }

    /**
     * Checks {@code If-Match}; without it every version will do.
     *
     * @throws RefusedCall 412 when it names other versions only
     */
    public void require(String etag) {
        String wanted = header(HttpHeaders.IF_MATCH);
        if (wanted != null
                && !wanted.strip().equals(ANY)
                && Arrays.stream(wanted.split(",", -1)).map(String::strip).noneMatch(of(etag)::equals)) {
            throw changed();
        }
    }

    /** Whether the call replaces only what its caller has read. */
    public boolean hasIfMatch() {
        return header(HttpHeaders.IF_MATCH) != null;
    }

    /** Whether the call only creates: {@code If-None-Match: *}. */
    public boolean isCreateOnly() {
        return ANY.equals(header(HttpHeaders.IF_NONE_MATCH));
    }

    private @Nullable String header(String name) {
        List<String> values = Collections.list(request.getHeaders(name));
        return values.isEmpty() ? null : String.join(",", values);
    }

    public static RefusedCall changed() {
        return new RefusedCall(
                ProblemCode.VERSION_CHANGED, "It has changed since you read it. Read it again, then change it.");
    }
}
