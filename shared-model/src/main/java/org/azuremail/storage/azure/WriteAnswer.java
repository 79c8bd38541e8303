package org.azuremail.storage.azure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.storage.WriteResult;

/**
 * The answer of the table service to a batch.
 *
 * @param status the status of the batch or, if a part failed, of that part
 * @param code the service's error code, such as {@code EntityAlreadyExists}; empty if the service gave none
 * @param etags the ETags of the written rows, in their order; an empty string for a deleted row
 */
record WriteAnswer(int status, String code, List<String> etags) {

    private static final int ACCEPTED = 202;
    private static final int FIRST_ERROR = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;
    private static final Pattern PART = Pattern.compile("(?m)^HTTP/1\\.1 (?=\\d{3})");
    private static final Pattern ETAG = Pattern.compile("(?im)^ETag:[ \\t]*(\\S+)");
    private static final Pattern CODE = Pattern.compile("\"code\"\\s*:\\s*\"(\\w+)\"");

    static WriteAnswer of(int status, String body) {
        if (status != ACCEPTED) {
            return new WriteAnswer(status, code(body), List.of());
        }
        List<String> etags = new ArrayList<>();
        for (String part : PART.splitAsStream(body).skip(1).toList()) {
            int partStatus = Integer.parseInt(part.substring(0, 3));
            if (partStatus >= FIRST_ERROR) {
                return new WriteAnswer(partStatus, code(part), List.of());
            }
            etags.add(etag(part));
        }
        return new WriteAnswer(status, "", List.copyOf(etags));
    }

    private static String code(String body) {
        Matcher code = CODE.matcher(body);
        return code.find() ? code.group(1) : "";
    }

    private static String etag(String part) {
        Matcher etag = ETAG.matcher(part);
        return etag.find() ? etag.group(1) : "";
    }

    /** Returns this refusal as a result of the port; empty if the port has no such result. */
    Optional<WriteResult> outcome() {
        return switch (status) {
            case CONFLICT ->
                code.equals("EntityAlreadyExists") ? Optional.of(new WriteResult.Exists()) : Optional.empty();
            case PRECONDITION_FAILED -> Optional.of(new WriteResult.Stale());
            case NOT_FOUND -> code.equals("TableNotFound") ? Optional.empty() : Optional.of(new WriteResult.Missing());
            default -> Optional.empty();
        };
    }

    boolean refused() {
        return status >= FIRST_ERROR;
    }
}
