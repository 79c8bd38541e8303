package org.azuremail.web.account;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * Slows down guessing. An attempt is counted before its password is looked at, under the row's ETag, so that many
 * guesses at once are as slow as one after the other. After a few failures in a row each further one doubles the wait.
 */
final class SignInAttempts {

    private static final String TABLE = "signinattempt";
    private static final String PARTITION = "attempts";
    private static final Duration FIRST_WAIT = Duration.ofSeconds(2);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(24);
    private static final int MOST_DOUBLINGS = 10;

    private final TableStore tables;
    private final Time time;

    SignInAttempts(TableStore tables, Time time) {
        this.tables = tables;
        this.time = time;
        tables.createTable(TABLE);
    }

    /** Counts an attempt on a subject; how long to wait, when it is not allowed yet. */
    Optional<Duration> count(String subject, int freeFailures) {
        Key key = key(subject);
        Instant now = time.instant();
        Optional<Row> row = tables.get(TABLE, key);
        Instant blockedUntil =
                row.map(found -> found.values().requireInstant("BlockedUntil")).orElse(Instant.EPOCH);
        if (now.isBefore(blockedUntil)) {
            return Optional.of(Duration.between(now, blockedUntil));
        }
        int failures = row.filter(found -> !forgotten(found, now))
                        .map(found -> found.values().integer("Failures", 0))
                        .orElse(0)
                + 1;
        Values values = Values.builder()
                .put("Failures", failures)
                .put("LastAt", now)
                .put("BlockedUntil", now.plus(waitAfter(failures - freeFailures)))
                .build();
        Write write = row.map(found -> Write.replace(found, values)).orElseGet(() -> Write.insert(key.row(), values));
        boolean counted = tables.write(TABLE, PARTITION, write).written();
        return counted ? Optional.empty() : Optional.of(FIRST_WAIT);
    }

    /** The attempt was right: nothing counts any more. */
    void forget(String subject) {
        tables.write(TABLE, PARTITION, Write.delete(key(subject).row()));
    }

    /** Removes what no longer counts. */
    void sweep() {
        Instant now = time.instant();
        Rows.stream(tables, TABLE, KeyRange.partition(PARTITION))
                .filter(row -> forgotten(row, now))
                .forEach(row -> tables.write(TABLE, PARTITION, Write.delete(row)));
    }

    private static boolean forgotten(Row row, Instant now) {
        return row.values().requireInstant("LastAt").plus(FORGOTTEN_AFTER).isBefore(now);
    }

    private static Duration waitAfter(int failuresTooMany) {
        if (failuresTooMany < 0) {
            return Duration.ZERO;
        }
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failuresTooMany, MOST_DOUBLINGS));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    private static Key key(String subject) {
        return new Key(PARTITION, new Secret(subject).hash());
    }
}
