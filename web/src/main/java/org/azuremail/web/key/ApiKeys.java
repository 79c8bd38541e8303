package org.azuremail.web.key;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.azuremail.id.IdSource;
import org.azuremail.limit.RateLimit;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.web.account.Secret;

/**
 * The keys of programs, in the table {@code apikey}. Each is stored under the hash of its secret, so reading the table
 * gives no access to the API. A revoked key leaves a row that records the revocation for 90 days. The row of the
 * set-up's key is never deleted, so that no restart creates the key again. Safe for use from many threads and
 * processes.
 */
public final class ApiKeys {

    /** A key and its secret, which the service does not store. */
    public record NewKey(ApiKey key, Secret secret) {}

    public sealed interface Use {

        record Granted(ApiKey key) implements Use {}

        /** The secret gives no access. */
        record Refused(Refusal reason) implements Use {}
    }

    /**
     * The reasons why a secret gives no access. Only a caller with the whole secret learns more than {@code UNKNOWN}.
     */
    public enum Refusal {
        UNKNOWN,
        EXPIRED,
        REVOKED
    }

    static final String TABLE = "apikey";
    private static final String PARTITION = "keys";
    private static final String REVOKED = "revoked:";
    private static final String REVOKED_AT = "RevokedAt";
    private static final String PREFIX = "am_";
    private static final String SET_UP = "set-up";

    /**
     * Whether this is the key of the settings. Rows of earlier versions do not say so; a key that was created with that
     * key has the same owner.
     */
    private static final String FROM_SETTINGS = "FromSettings";

    private static final int HINT_LENGTH = 7;
    private static final Duration NOTED_EVERY = Duration.ofHours(1);
    private static final Duration REVOKED_RETENTION = Duration.ofDays(90);

    private final TableStore tables;
    private final IdSource ids;
    private final Time time;

    ApiKeys(Storage storage, IdSource ids, Time time) {
        this.tables = storage.tables();
        this.ids = ids;
        this.time = time;
        tables.createTable(TABLE);
    }

    /** Returns a secret for a key that is to be created. The hash of the secret becomes the key's id. */
    public Secret nextSecret() {
        return nextSecret(ids);
    }

    Secret nextSecret(IdSource of) {
        return new Secret(PREFIX + Secret.next(of).text());
    }

    /**
     * Creates a key. Repeating the call changes nothing.
     *
     * @param secret a secret from {@link #nextSecret()}
     * @param by the address of the admin who answers for the key. A call of the API passes the {@link ApiKey#owner} of
     *     its own key, so that removing an admin also finds the keys that were created with the admin's keys
     */
    public NewKey create(Secret secret, ApiKey.Terms terms, String by) {
        ApiKey key = key(secret, terms, by);
        insert(key, false);
        return new NewKey(key, secret);
    }

    /**
     * Inserts a key together with its revocation row, which is still empty. The row refuses a second creation of the
     * same key by a process that does not know that the key was created and revoked meanwhile.
     */
    private void insert(ApiKey key, boolean fromSettings) {
        Values values = key.values().with(FROM_SETTINGS, fromSettings);
        List<Write> writes = List.of(Write.insert(key.id(), values), Write.insert(REVOKED + key.id(), Values.none()));
        tables.write(TABLE, PARTITION, writes);
    }

    /**
     * Creates an admin key with a given secret, unless a working admin key exists already or this key was revoked.
     *
     * @return false when this key was revoked
     */
    boolean createFirst(Secret secret) {
        Instant now = time.instant();
        boolean none = all().stream().noneMatch(key -> key.scope() == ApiKey.Scope.ADMIN && !key.expiredAt(now));
        // Checked after the keys were read: a key that was revoked before then is not among them.
        if (revoked(secret)) {
            return false;
        }
        if (none) {
            ApiKey key = key(secret, ApiKey.Terms.of("Created at set-up", ApiKey.Scope.ADMIN, Set.of()), SET_UP);
            insert(key, true);
        }
        return true;
    }

    /** Looks up the key of a secret and records its use, to the hour. */
    public Use use(Secret secret) {
        Optional<Row> row = tables.get(TABLE, PARTITION, secret.hash());
        if (row.isEmpty()) {
            return new Use.Refused(revoked(secret) ? Refusal.REVOKED : Refusal.UNKNOWN);
        }
        ApiKey key = ApiKey.of(row.get());
        if (key.expiredAt(time.instant())) {
            return new Use.Refused(Refusal.EXPIRED);
        }
        recordUse(row.get());
        return new Use.Granted(key);
    }

    public boolean revoked(Secret secret) {
        return tables.get(TABLE, PARTITION, REVOKED + secret.hash())
                .filter(row -> row.values().instant(REVOKED_AT) != null)
                .isPresent();
    }

    /** Returns all keys that are not revoked, newest first, including expired keys. */
    public List<ApiKey> all() {
        return rows().stream()
                .filter(row -> !row.rowKey().startsWith(REVOKED))
                .map(ApiKey::of)
                .sorted(Comparator.comparing(ApiKey::createdAt).reversed())
                .toList();
    }

    public Optional<ApiKey> find(String id) {
        return row(id).map(ApiKey::of);
    }

    /** Returns the keys for which an admin answers, including expired keys. */
    public List<ApiKey> ownedBy(EmailAddress admin) {
        return all().stream().filter(key -> key.isOwnedBy(admin)).toList();
    }

    /** Transfers a key to another admin. Does nothing if the key does not exist. */
    public void transfer(String id, EmailAddress to) {
        change(
                id,
                row -> List.of(
                        Write.replace(row, ApiKey.of(row).withOwner(to.value()).values())));
    }

    /** Revokes a key, so that the next call with it is refused. Does nothing if the key does not exist. */
    public void revoke(String id) {
        if (find(id).isEmpty()) {
            return;
        }
        change(
                id,
                row -> List.of(
                        Write.delete(row),
                        Write.upsert(REVOKED + id, row.values().with(REVOKED_AT, time.instant()))));
        RateLimit.forget(tables, KeyQuotas.limitOf(id));
    }

    /** Revokes a key that an interrupted call may have created or may still create. */
    public void revokeOrPrevent(String id) {
        // Refused if the key exists, because its revocation row was inserted with it.
        tables.write(TABLE, PARTITION, Write.insert(REVOKED + id, Values.of(REVOKED_AT, time.instant())));
        revoke(id);
    }

    private void change(String id, Function<Row, List<Write>> change) {
        ConditionalWrites.retryUntilDone("the key", () -> row(id).map(
                        row -> tables.write(TABLE, PARTITION, change.apply(row)).written())
                .orElse(true));
    }

    /** Finds a row by comparing ids instead of by a lookup, because a typed id may not be a valid row key. */
    private Optional<Row> row(String id) {
        return rows().stream()
                .filter(row -> row.rowKey().equals(id) && !id.startsWith(REVOKED))
                .findFirst();
    }

    /** Removes the rows of keys that were revoked long ago. */
    void removeOldRevocations() {
        Instant old = time.instant().minus(REVOKED_RETENTION);
        for (Row row : rows()) {
            Instant revokedAt = row.values().instant(REVOKED_AT);
            boolean fromSettings =
                    row.values().bool(FROM_SETTINGS, SET_UP.equals(row.values().string("CreatedBy")));
            if (revokedAt != null && revokedAt.isBefore(old) && !fromSettings) {
                // A call that was running when the key was revoked may have counted after the revocation.
                RateLimit.forget(tables, KeyQuotas.limitOf(row.rowKey().substring(REVOKED.length())));
                tables.write(TABLE, PARTITION, Write.delete(row));
            }
        }
    }

    private List<Row> rows() {
        return Rows.all(tables, TABLE, KeyRange.partition(PARTITION));
    }

    private ApiKey key(Secret secret, ApiKey.Terms terms, String by) {
        String hint = secret.text().substring(0, HINT_LENGTH);
        return ApiKey.create(terms, secret.hash(), hint, time.instant(), by);
    }

    /** Records a use. A refused write does no harm: another call has recorded its use first. */
    private void recordUse(Row row) {
        Instant now = time.instant();
        Instant noted = row.values().instant("LastUsedAt");
        if (noted == null || noted.plus(NOTED_EVERY).isBefore(now)) {
            tables.write(TABLE, PARTITION, Write.replace(row, row.values().with("LastUsedAt", now)));
        }
    }
}
