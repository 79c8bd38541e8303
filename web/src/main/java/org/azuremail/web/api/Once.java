package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.time.Time;
import org.azuremail.web.idempotency.CallOnce;
import org.azuremail.web.idempotency.IdempotentCalls;
import org.azuremail.web.idempotency.IdempotentCalls.Answer;
import org.azuremail.web.idempotency.IdempotentCalls.Attempt;
import org.azuremail.web.idempotency.IdempotentCalls.Beginning;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes calls that create something once, where the caller names them by {@code Idempotency-Key}. A refusal is not
 * remembered: the corrected call may bear the same key.
 */
@Component
public record Once(IdempotentCalls calls, JsonMapper json, Time time) {

    static final String HEADER = "Idempotency-Key";

    private static final int LONGEST = 255;
    private static final String RETRY_SECONDS = "5";

    /**
     * One try at a call.
     *
     * @param intended under which id it creates something; the same in every try
     * @param startedAt of the first try
     * @param resumed whether an earlier try broke off, and may have created it already
     */
    public record Try(String intended, Instant startedAt, boolean resumed) {}

    /**
     * A call.
     *
     * @param once {@code null} where the caller did not name it
     * @param content a body that streams through; {@code null} where it is part of the call
     */
    public record Call(@Nullable CallOnce once, @Nullable DigestInputStream content) {}

    /**
     * A call with its body.
     *
     * @throws RefusedCall when it is named by something that is no key
     */
    public Call call(HttpServletRequest request, ApiKey key, Object body) {
        return new Call(once(request, key, () -> json.writeValueAsString(body)), null);
    }

    /** A call whose body streams through. */
    public Call call(HttpServletRequest request, ApiKey key, DigestInputStream content) {
        return new Call(once(request, key, () -> ""), content);
    }

    private static @Nullable CallOnce once(HttpServletRequest request, ApiKey key, Supplier<String> body) {
        List<String> headers = Collections.list(request.getHeaders(HEADER));
        if (headers.isEmpty()) {
            return null;
        }
        String name = headers.size() == 1 ? name(headers.get(0).strip()) : "";
        if (name.isEmpty()) {
            throw RefusedCall.of(
                    HttpStatus.BAD_REQUEST,
                    ProblemCode.IDEMPOTENCY_KEY_MALFORMED,
                    "An Idempotency-Key is one text of at most " + LONGEST
                            + " visible ASCII characters, as \"8e03978e-40d5-43dd-bc93-6894a57f9324\".");
        }
        String query = request.getQueryString() == null ? "" : request.getQueryString();
        String call = String.join("\n", request.getMethod(), request.getRequestURI(), query, body.get());
        return CallOnce.of(key.id(), name, call.getBytes(StandardCharsets.UTF_8));
    }

    /** With or without quotes; empty when it is none. */
    private static String name(String header) {
        boolean quoted = header.length() > 1 && header.startsWith("\"") && header.endsWith("\"");
        String name = quoted ? header.substring(1, header.length() - 1) : header;
        boolean fits = name.length() <= LONGEST && name.chars().allMatch(c -> c > ' ' && c <= '~' && c != '"');
        return fits ? name : "";
    }

    /**
     * Makes the call, or answers as it was answered.
     *
     * @param intended makes an id
     * @throws RefusedCall also what the work refuses
     */
    public <T> ResponseEntity<T> answer(
            Call call, Class<T> type, Supplier<String> intended, Function<Try, ResponseEntity<T>> work) {
        if (call.once() == null) {
            return work.apply(new Try(intended.get(), time.instant(), false));
        }
        Beginning beginning = calls.begin(call.once(), intended);
        if (beginning instanceof Beginning.Run run) {
            return first(run.attempt(), call, work);
        }
        if (beginning instanceof Beginning.Replay replay) {
            return again(replay.answer(), call, type);
        }
        throw beginning instanceof Beginning.UnderWay
                ? RefusedCall.conflict(
                                ProblemCode.IDEMPOTENCY_KEY_IN_USE,
                                "The call with this Idempotency-Key is under way. Repeat it to learn what comes of it.")
                        .with(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                : another();
    }

    private <T> ResponseEntity<T> first(Attempt attempt, Call call, Function<Try, ResponseEntity<T>> work) {
        ResponseEntity<T> answer;
        try {
            answer = work.apply(new Try(attempt.intended(), attempt.startedAt(), attempt.resumed()));
        } catch (RefusedCall refused) {
            if (refused.code() == ProblemCode.IDEMPOTENCY_KEY_REUSED) {
                calls.brokenOff(attempt);
            } else {
                calls.refused(attempt);
            }
            throw refused;
        } catch (RuntimeException nobodyKnows) {
            calls.brokenOff(attempt);
            throw nobodyKnows;
        }
        URI location = answer.getHeaders().getLocation();
        calls.done(
                attempt,
                new Answer(
                        answer.getStatusCode().value(),
                        location == null ? null : location.toString(),
                        answer.getBody() == null ? null : json.writeValueAsString(answer.getBody()),
                        digest(call)));
        return answer;
    }

    private <T> ResponseEntity<T> again(Answer answer, Call call, Class<T> type) {
        if (answer.content() != null && !answer.content().equals(digest(call))) {
            throw another();
        }
        ResponseEntity.BodyBuilder again = ResponseEntity.status(answer.status());
        if (answer.location() != null) {
            again.location(URI.create(answer.location()));
        }
        return answer.body() == null ? again.build() : again.body(json.readValue(answer.body(), type));
    }

    /** Of all that the body holds. */
    private static @Nullable String digest(Call call) {
        DigestInputStream content = call.content();
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

    public static RefusedCall another() {
        return RefusedCall.of(
                HttpStatus.UNPROCESSABLE_CONTENT,
                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                "This Idempotency-Key stands for another call of the last 24 hours. Nothing was done.");
    }
}
