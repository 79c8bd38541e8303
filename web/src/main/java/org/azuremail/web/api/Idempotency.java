package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.time.Time;
import org.azuremail.web.api.IdempotentCalls.Answer;
import org.azuremail.web.api.IdempotentCalls.Attempt;
import org.azuremail.web.api.IdempotentCalls.BeginResult;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * Ensures that a call with an {@code Idempotency-Key} creates something only once; an argument of API methods. Refusals
 * are not stored, so a corrected call may use the same key.
 */
public record Idempotency(IdempotentCalls calls, JsonMapper json, Time time, HttpServletRequest request, ApiKey key) {

    static final String HEADER = "Idempotency-Key";

    private static final int MAX_LENGTH = 255;

    /**
     * @param intended the id under which the call creates something; the same in every try
     * @param startedAt when the first try started
     * @param resumed whether an earlier try broke off, possibly after it created something
     */
    public record Try(String intended, Instant startedAt, boolean resumed) {}

    /**
     * Executes the call, or returns the stored answer of an earlier execution.
     *
     * @param body the body of the call
     * @param intended supplies the id for a new call
     * @throws RefusedCall if {@code work} throws it, or if the key is malformed, in use or taken by another call
     */
    public <T> ResponseEntity<T> answer(
            Object body, Class<T> type, Supplier<String> intended, Function<Try, ResponseEntity<T>> work) {
        return answer(() -> json.writeValueAsString(body), null, type, intended, work);
    }

    /** Like {@link #answer}, for a call whose body is read while the call runs. */
    public <T> ResponseEntity<T> answerStreamed(
            DigestInputStream content,
            Class<T> type,
            Supplier<String> intended,
            Function<Try, ResponseEntity<T>> work) {
        return answer(() -> "", content, type, intended, work);
    }

    private <T> ResponseEntity<T> answer(
            Supplier<String> body,
            @Nullable DigestInputStream content,
            Class<T> type,
            Supplier<String> intended,
            Function<Try, ResponseEntity<T>> work) {
        IdempotentCalls.Call call = call(body);
        if (call == null) {
            return work.apply(new Try(intended.get(), time.instant(), false));
        }
        BeginResult beginning = calls.begin(call, intended);
        return beginning instanceof Attempt attempt
                ? execute(attempt, content, work)
                : replay((Answer) beginning, content, type);
    }

    private IdempotentCalls.@Nullable Call call(Supplier<String> body) {
        List<String> headers = Collections.list(request.getHeaders(HEADER));
        if (headers.isEmpty()) {
            return null;
        }
        String name = headers.size() == 1 ? name(headers.get(0).strip()) : "";
        if (name.isEmpty()) {
            throw new RefusedCall(
                    ProblemCode.IDEMPOTENCY_KEY_MALFORMED,
                    "An Idempotency-Key is one text of at most " + MAX_LENGTH
                            + " visible ASCII characters, as \"8e03978e-40d5-43dd-bc93-6894a57f9324\".");
        }
        String query = request.getQueryString() == null ? "" : request.getQueryString();
        String call = String.join("\n", request.getMethod(), request.getRequestURI(), query, body.get());
        return IdempotentCalls.Call.of(key.id(), name, call);
    }

    /** Returns the value of the header, with or without quotes; empty if it is malformed. */
    private static String name(String header) {
        boolean quoted = header.length() > 1 && header.startsWith("\"") && header.endsWith("\"");
        String name = quoted ? header.substring(1, header.length() - 1) : header;
        boolean fits = name.length() <= MAX_LENGTH && name.chars().allMatch(c -> c > ' ' && c <= '~' && c != '"');
        return fits ? name : "";
    }

    private <T> ResponseEntity<T> execute(
            Attempt attempt, @Nullable DigestInputStream content, Function<Try, ResponseEntity<T>> work) {
        ResponseEntity<T> answer;
        try {
            answer = work.apply(attempt.current());
        } catch (RefusedCall refused) {
            if (refused.code() == ProblemCode.IDEMPOTENCY_KEY_REUSED) {
                calls.interrupted(attempt);
            } else {
                calls.refused(attempt);
            }
            throw refused;
        } catch (RuntimeException nobodyKnows) {
            calls.interrupted(attempt);
            throw nobodyKnows;
        }
        URI location = answer.getHeaders().getLocation();
        calls.done(
                attempt,
                new Answer(
                        answer.getStatusCode().value(),
                        location == null ? null : location.toString(),
                        answer.getBody() == null ? null : json.writeValueAsString(answer.getBody()),
                        digest(content)));
        return answer;
    }

    private <T> ResponseEntity<T> replay(Answer answer, @Nullable DigestInputStream content, Class<T> type) {
        if (answer.content() != null && !answer.content().equals(digest(content))) {
            throw keyReused();
        }
        ResponseEntity.BodyBuilder again = ResponseEntity.status(answer.status());
        if (answer.location() != null) {
            again.location(URI.create(answer.location()));
        }
        return answer.body() == null ? again.build() : again.body(json.readValue(answer.body(), type));
    }

    private static @Nullable String digest(@Nullable DigestInputStream content) {
        if (content == null) {
            return null;
        }
        try {
            content.transferTo(OutputStream.nullOutputStream());
        } catch (IOException brokenOff) {
            throw new UncheckedIOException(brokenOff);
        }
        return HexFormat.of().formatHex(content.getMessageDigest().digest());
    }

    public static RefusedCall keyReused() {
        return new RefusedCall(
                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                "This Idempotency-Key was used for another call in the last 24 hours. Nothing was done.");
    }
}
