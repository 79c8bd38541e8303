package org.azuremail.web.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Entity tags of what may be changed (RFC 9110, 8.8.3 and 13.1.1): strong, and opaque to whoever gets one. A tag stands for
 * what a change may concern, and not for what goes on by itself, as the counts of a message do.
 */
public final class Tags {

    private static final String ANY = "*";

    private Tags() {}

    /** @param etag of the stored row */
    public static String of(String etag) {
        byte[] bytes = etag.getBytes(StandardCharsets.UTF_8);
        return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + '"';
    }

    /**
     * @param ifMatch the header; without it every version will do
     * @throws RefusedCall 412 when it names other versions only
     */
    public static void require(@Nullable String ifMatch, String etag) {
        if (ifMatch == null || ifMatch.strip().equals(ANY)) {
            return;
        }
        String tag = of(etag);
        if (Arrays.stream(ifMatch.split(",", -1)).map(String::strip).noneMatch(tag::equals)) {
            throw RefusedCall.of(
                    HttpStatus.PRECONDITION_FAILED,
                    ProblemCode.VERSION_CHANGED,
                    "It is not as you read it any more. Read it again, then change it.");
        }
    }
}
