package org.azuremail.transport.sendgrid;

import com.sendgrid.Response;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.time.Durations;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The result of one request, as SendGrid's status codes define it. */
sealed interface SendGridReply {

    Duration WAIT = Duration.ofSeconds(30);
    Duration PAUSE = Duration.ofMinutes(5);

    /** The shortest wait, for a provider that names no time or one that is over. */
    Duration MIN_WAIT = Duration.ofSeconds(1);

    Duration MAX_WAIT = Duration.ofHours(1);
    int MAX_REASON_LENGTH = 500;
    Pattern RECIPIENT = Pattern.compile("personalizations\\.(\\d{1,4})\\b.*");
    JsonMapper JSON = JsonMapper.builder().build();

    record Taken(@Nullable String requestId) implements SendGridReply {}

    /**
     * No part of the request was taken, and the same request will be rejected again.
     *
     * @param named places of the recipients that SendGrid names as the cause; may be empty
     * @param tooLarge whether a smaller request may be taken
     */
    record Rejected(String reason, Set<Integer> named, boolean tooLarge) implements SendGridReply {}

    /** Nothing was taken, and any other request would fail too. */
    record Closed(Unavailable why) implements SendGridReply {}

    record InDoubt(Reason reason) implements SendGridReply {}

    static SendGridReply of(Response response, Instant now) {
        int status = response.getStatusCode();
        if (status == 202) {
            return new Taken(headers(response).get("X-Message-Id"));
        }
        String reason = reason(response);
        return switch (status) {
            case 400, 413 -> new Rejected(reason, named(response), status == 413);
            case 401, 403 -> closed(SendGridReason.SENDGRID_REFUSED, reason);
            case 408, 429, 503 -> busy(headers(response), reason, now);
            default ->
                // A status with fewer digits was cut off.
                status / 100 == 3 || status / 100 == 4
                        ? closed(SendGridReason.SENDGRID_OTHER_API, reason)
                        : new InDoubt(Reason.of(SendGridReason.SENDGRID_UNSURE, reason));
        };
    }

    private static SendGridReply closed(SendGridReason code, String said) {
        return new Closed(new Unavailable(Unavailable.Kind.PAUSE, Reason.of(code, said), PAUSE));
    }

    private static SendGridReply busy(Map<String, String> headers, String said, Instant now) {
        Reason reason = Reason.of(SendGridReason.SENDGRID_BUSY, said);
        boolean asked = headers.containsKey("Retry-After") || headers.containsKey("X-RateLimit-Reset");
        return new Closed(new Unavailable(Unavailable.Kind.WAIT, reason, delay(headers, now), asked));
    }

    private static Map<String, String> headers(Response response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (response.getHeaders() != null) {
            headers.putAll(response.getHeaders());
        }
        return headers;
    }

    /** Returns the delay: {@code Retry-After} in seconds or as a date, or the second in which the limit is lifted. */
    private static Duration delay(Map<String, String> headers, Instant now) {
        Duration delay = WAIT;
        String after = headers.get("Retry-After");
        String reset = headers.get("X-RateLimit-Reset");
        try {
            if (after != null && after.strip().matches("\\d{1,9}")) {
                delay = Duration.ofSeconds(Long.parseLong(after.strip()));
            } else if (after != null) {
                delay = Duration.between(now, ZonedDateTime.parse(after.strip(), DateTimeFormatter.RFC_1123_DATE_TIME));
            } else if (reset != null && reset.strip().matches("\\d{1,12}")) {
                delay = Duration.between(now, Instant.ofEpochSecond(Long.parseLong(reset.strip())));
            }
        } catch (DateTimeException unreadable) {
            return WAIT;
        }
        return Durations.max(MIN_WAIT, Durations.min(delay, MAX_WAIT));
    }

    private static String reason(Response response) {
        StringJoiner reasons = new StringJoiner("; ", response.getStatusCode() + " ", "");
        for (JsonNode error : errors(response)) {
            String field = error.path("field").asString("");
            reasons.add(error.path("message").asString("") + (field.isEmpty() ? "" : " (" + field + ")"));
        }
        String reason = reasons.toString().replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return reason.length() > MAX_REASON_LENGTH ? Reason.truncate(reason, MAX_REASON_LENGTH) + "…" : reason;
    }

    private static Set<Integer> named(Response response) {
        Set<Integer> places = new HashSet<>();
        for (JsonNode error : errors(response)) {
            Matcher recipient = RECIPIENT.matcher(error.path("field").asString(""));
            if (recipient.matches()) {
                places.add(Integer.parseInt(recipient.group(1)));
            }
        }
        return places;
    }

    private static Iterable<JsonNode> errors(Response response) {
        try {
            return JSON.readTree(response.getBody() == null ? "" : response.getBody())
                    .path("errors");
        } catch (JacksonException notJson) {
            return Set.of();
        }
    }
}
