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
 * The preconditions of a call and the entity tag of its answer (RFC 9110, 8.8.3 and 13.1), as an argument of API
 * methods. Tags are strong and opaque. A tag covers the data that callers can change, not the values that change on
 * their own, such as the counts of a message. This class therefore evaluates no condition of a {@code GET}.
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
     * Checks {@code If-Match}. A call without this header accepts every version.
     *
     * @throws RefusedCall with status 412 if the header names only other versions
     */
    public void require(String etag) {
        String wanted = header(HttpHeaders.IF_MATCH);
        if (wanted != null
                && !wanted.strip().equals(ANY)
                && Arrays.stream(wanted.split(",", -1)).map(String::strip).noneMatch(of(etag)::equals)) {
            throw changed();
        }
    }

    /**
     * Checks {@code If-Match} where there is no version, which no tag and not even {@code *} matches.
     *
     * @throws RefusedCall with status 412 if the call has the header
     */
    public void requireNone() {
        if (hasIfMatch()) {
            throw changed();
        }
    }

    /** Returns whether the call may replace only the version that its caller has read. */
    public boolean hasIfMatch() {
        return header(HttpHeaders.IF_MATCH) != null;
    }

    /** Returns whether the call may only create, not replace: {@code If-None-Match: *}. */
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
