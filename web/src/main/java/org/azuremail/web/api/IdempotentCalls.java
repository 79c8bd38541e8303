package org.azuremail.web.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Expiring;
import org.azuremail.work.lease.Holders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Calls with an {@code Idempotency-Key} (draft-ietf-httpapi-idempotency-key-header), in the table {@code idempotency}.
 * Each call has a row under the API key and the hash of the caller's key. The row is inserted before the call does
 * anything, and contains the id under which the call is going to create something. If the process dies, the repeated
 * call creates it under the same id, or finds it. For {@link #RETENTION}, a repeated call gets the first answer again.
 *
 * <p>A call counts as running for {@link #ATTEMPT_LEASE}, or until its process is known to be dead. If a slow call and
 * its repetition run at once, both use the same id. Safe for use by several threads and processes.
 */
@Component
final class IdempotentCalls implements Expiring {

    static final Duration RETENTION = Duration.ofHours(24);

    /** How long no other process resumes an unfinished call; longer than the clocks of two hosts differ. */
    static final Duration ATTEMPT_LEASE = Duration.ofMinutes(2);

    static final String TABLE = "idempotency";

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentCalls.class);
    private static final String RETRY_SECONDS = "5";
    private static final String REQUEST = "Request";
    private static final String INTENDED = "Intended";
    private static final String STARTED_AT = "StartedAt";
    private static final String HOLDER = "Holder";
    private static final String UNTIL = "UnderWayUntil";
    private static final String RESUMED = "Resumed";
    private static final String STATUS = "Status";
    private static final String LOCATION = "Location";
    private static final String BODY = "Body";
    private static final String CONTENT = "Content";

    private final Table table;
    private final Holders holders;
    private final Time time;

    IdempotentCalls(Storage storage, Holders holders, Time time) {
        this.table = new Table(storage.tables(), TABLE);
        this.holders = holders;
        this.time = time;
    }

    /**
     * @param owner the id of the caller's API key; keys of different owners never collide
     * @param key the hash of the caller's {@code Idempotency-Key}
     * @param request the hash of method, address and body; a different request with the same key is refused
     */
    record Call(String owner, String key, String request) {
        static Call of(String owner, String name, String request) {
            return new Call(owner, DigestUtils.sha256Hex(name), DigestUtils.sha256Hex(request));
        }
    }

    sealed interface BeginResult {}

    record Attempt(Call call, Idempotency.Try current, String holder) implements BeginResult {}

    /**
     * @param body the body as JSON; {@code null} if it is not stored
     * @param content the hash of a body that was streamed; {@code null} if the call itself contains the whole body
     */
    record Answer(
            int status,
            @Nullable String location,
            @Nullable String body,
            @Nullable String content) implements BeginResult {}

    /**
     * Begins a call, or resumes one that broke off.
     *
     * @param intended supplies the id for a new call
     * @throws RefusedCall if another process or thread is executing the call, or the key belongs to another call
     * @throws StorageException if it is unknown how far the call got; the caller may repeat it
     */
    BeginResult begin(Call call, Supplier<String> intended) {
        String holder = holders.next();
        return ConditionalWrites.retryIdempotent("a call with a key", () -> {
            Optional<Row> row = table.get(call.owner(), call.key());
            Values live = row.filter(found -> !expired(found)).map(Row::values).orElse(null);
            if (live != null && holder.equals(live.string(HOLDER))) {
                return Optional.of(attempt(call, live));
            }
            Optional<BeginResult> known = live == null ? Optional.empty() : known(call, live);
            if (known.isPresent()) {
                return known;
            }
            Values values = live == null ? first(call, intended.get(), holder) : resumed(live, holder);
            return table.write(call.owner(), Write.put(row, call.key(), values)).written()
                    ? Optional.of(attempt(call, values))
                    : Optional.empty();
        });
    }

    /** Returns the stored answer of the call; empty if the call broke off. */
    private Optional<BeginResult> known(Call call, Values values) {
        if (!call.request().equals(values.requireString(REQUEST))) {
            throw Idempotency.keyReused();
        }
        if (values.integer(STATUS, 0) > 0) {
            return Optional.of(new Answer(
                    values.integer(STATUS, 0), values.string(LOCATION), values.string(BODY), values.string(CONTENT)));
        }
        if (!values.requireInstant(UNTIL).isBefore(time.instant()) && !holders.isDead(values.requireString(HOLDER))) {
            throw new RefusedCall(
                            ProblemCode.IDEMPOTENCY_KEY_IN_USE,
                            "The call with this Idempotency-Key is under way. Repeat it to learn what comes of it.")
                    .with(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        }
        return Optional.empty();
    }

    private Values first(Call call, String intended, String holder) {
        Instant now = time.instant();
        return Values.builder()
                .put(REQUEST, call.request())
                .put(INTENDED, intended)
                .put(STARTED_AT, now)
                .put(HOLDER, holder)
                .put(UNTIL, now.plus(ATTEMPT_LEASE))
                .put(RESUMED, false)
                .build();
    }

    private Values resumed(Values values, String holder) {
        return values.toBuilder()
                .put(HOLDER, holder)
                .put(UNTIL, time.instant().plus(ATTEMPT_LEASE))
                .put(RESUMED, true)
                .build();
    }

    private static Attempt attempt(Call call, Values values) {
        return new Attempt(
                call,
                new Idempotency.Try(
                        values.requireString(INTENDED), values.requireInstant(STARTED_AT), values.bool(RESUMED, false)),
                values.requireString(HOLDER));
    }

    /** Stores the answer. A failure to store it does not fail the call: a repeated call finds what this one created. */
    void done(Attempt attempt, Answer answer) {
        String body = answer.body();
        settle(
                attempt,
                row -> Write.replace(
                        row,
                        row.values().toBuilder()
                                .put(STATUS, answer.status())
                                .put(LOCATION, answer.location())
                                .put(BODY, body == null || body.length() > Values.MAX_STRING_LENGTH ? null : body)
                                .put(CONTENT, answer.content())
                                .build()));
    }

    /** Frees the key of a call that was refused and created nothing. */
    void refused(Attempt attempt) {
        settle(attempt, Write::delete);
    }

    /** Allows a call whose progress is unknown to be repeated at once, under the same id. */
    void interrupted(Attempt attempt) {
        settle(
                attempt,
                row -> Write.replace(
                        row, row.values().with(UNTIL, time.instant().minus(ATTEMPT_LEASE))));
    }

    /** Ends this attempt. A row of a later attempt stays unchanged. */
    private void settle(Attempt attempt, Function<Row, Write> end) {
        Call call = attempt.call();
        try {
            ConditionalWrites.retryIdempotentUntilDone("a call with a key", () -> table.get(call.owner(), call.key())
                    .filter(found -> attempt.holder().equals(found.values().string(HOLDER)))
                    .filter(found -> found.values().integer(STATUS, 0) == 0)
                    .map(row -> table.write(call.owner(), end.apply(row)).written())
                    .orElse(true));
        } catch (StorageException away) {
            LOG.info("what came of a call with a key is not noted: {}", away.getMessage());
        }
    }

    private boolean expired(Row row) {
        return row.values().requireInstant(STARTED_AT).plus(RETENTION).isBefore(time.instant());
    }

    @Override
    public void removeExpired() {
        table.stream(KeyRange.everything())
                .filter(this::expired)
                .forEach(row -> table.write(row.key().partition(), Write.delete(row)));
    }
}
