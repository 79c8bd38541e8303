package org.azuremail.web.account;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.id.AsciiWord;
import org.azuremail.id.IdSource;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Slows down guessing across all web processes. An attempt is counted before its password is checked, under the rows'
 * ETags and for all its subjects in one write, so that parallel guesses take as long as successive ones. After a few
 * failures in a row, each further one doubles the wait, up to 15 minutes. Failures are forgotten after a day without
 * one.
 *
 * <p>Strangers cannot fill the storage: the subjects of a kind share 65,536 rows, by a hash that outsiders cannot
 * compute. In the rare case that two subjects share a row, they wait for each other.
 */
final class SignInAttempts {

    /**
     * The subject for which attempts are counted.
     *
     * @param name the name of the subject within its kind
     * @param free the number of failures in a row that cause no wait
     */
    record Subject(Kind kind, String name, int free) {

        /** The keys of rows begin with these names in lower case. */
        enum Kind {
            /** The network of a stranger. */
            NETWORK,
            /** An account, as strangers of one network name it. */
            STRANGER,
            /** An account, as strangers of all networks name it. */
            ACCOUNT,
            /** A known device. */
            DEVICE,
            /** An admin who is signed in. */
            CONFIRM
        }
    }

    static final String TABLE = "signinattempt";
    private static final String PARTITION = "subjects";
    private static final String SALT = "salt";
    private static final int SALT_BYTES = 32;
    private static final int SLOT_BYTES = 2;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(2);
    private static final Duration MAX_WAIT = Duration.ofMinutes(15);
    private static final Duration MAX_SKEW = Duration.ofMinutes(2);
    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(24);
    private static final int MAX_DOUBLINGS = 10;

    /** The partition of the previous version. Its rows expire a day after the last process of that version. */
    private static final String OLD_PARTITION = "attempts";

    private static final Set<String> COUNTS = Set.of(PARTITION, OLD_PARTITION);

    private final Table table;
    private final IdSource ids;
    private final Time time;
    private volatile @Nullable String salt;

    SignInAttempts(Storage storage, IdSource ids, Time time) {
        this.table = new Table(storage.tables(), TABLE);
        this.ids = ids;
        this.time = time;
    }

    /** Counts an attempt on each subject. If one of them has to wait, counts none and returns the wait. */
    Optional<Duration> count(List<Subject> subjects) {
        return ConditionalWrites.retry("a count of sign-ins", () -> {
            Instant now = time.instant();
            List<Write> writes = new ArrayList<>();
            Instant blockedUntil = now;
            for (Subject subject : subjects) {
                String key = key(subject);
                Optional<Row> row = table.get(PARTITION, key);
                Instant until = row.map(found -> blockedUntil(found, now)).orElse(now);
                blockedUntil = until.isAfter(blockedUntil) ? until : blockedUntil;
                writes.add(oneMore(key, row, subject.free(), now));
            }
            if (blockedUntil.isAfter(now)) {
                return Optional.of(Optional.of(Duration.between(now, blockedUntil)));
            }
            boolean counted = table.write(PARTITION, writes).written();
            return counted ? Optional.of(Optional.empty()) : Optional.empty();
        });
    }

    void forget(List<Subject> subjects) {
        subjects.forEach(subject -> table.write(PARTITION, Write.delete(key(subject))));
    }

    void sweep(KnownDevices devices) {
        Instant now = time.instant();
        table.stream(KeyRange.everything())
                .filter(row -> devices.isOver(row, now) || isOver(row, now))
                .forEach(row -> table.write(row.key().partition(), Write.delete(row)));
    }

    private static boolean isOver(Row row, Instant now) {
        return COUNTS.contains(row.key().partition()) && forgotten(row, now);
    }

    private static Write oneMore(String key, Optional<Row> row, int free, Instant now) {
        int failures = row.filter(found -> !forgotten(found, now))
                        .map(found -> found.values().integer("Failures", 0))
                        .orElse(0)
                + 1;
        Values values = Values.builder()
                .put("Failures", failures)
                .put("LastAt", now)
                .put("BlockedUntil", now.plus(waitAfter(failures - free)))
                .build();
        return Write.put(row, key, values);
    }

    /** Returns the end of the wait. A time that only a wrong clock can have written is ignored. */
    private static Instant blockedUntil(Row row, Instant now) {
        Instant until = row.values().requireInstant("BlockedUntil");
        return until.isAfter(now.plus(MAX_WAIT).plus(MAX_SKEW)) ? now : until;
    }

    private static boolean forgotten(Row row, Instant now) {
        Instant lastAt = row.values().instant("LastAt");
        return lastAt != null && lastAt.plus(FORGOTTEN_AFTER).isBefore(now);
    }

    private static Duration waitAfter(int failuresTooMany) {
        if (failuresTooMany < 0) {
            return Duration.ZERO;
        }
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failuresTooMany, MAX_DOUBLINGS));
        return Durations.min(wait, MAX_WAIT);
    }

    private String key(Subject subject) {
        String kind = AsciiWord.of(subject.kind()) + ":";
        String hash = new Secret(salt() + kind + subject.name()).hash();
        return kind + hash.substring(0, 2 * SLOT_BYTES);
    }

    private String salt() {
        String known = salt;
        if (known == null) {
            String fresh = HexFormat.of().formatHex(ids.bytes(SALT_BYTES));
            table.write(PARTITION, Write.insert(SALT, Values.of("Salt", fresh)));
            known = table.get(PARTITION, SALT)
                    .map(row -> row.values().requireString("Salt"))
                    .orElseThrow(() -> new StorageException(
                            StorageException.Reason.UNKNOWN, "the row that was just written is gone", null));
            salt = known;
        }
        return known;
    }
}
