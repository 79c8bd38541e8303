package org.azuremail.web.key;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.web.account.Secret;

/**
 * The keys of programs, in the table {@code apikey}, each under the hash of its secret: nobody who reads the table can
 * call the API. Safe for use from many threads and processes.
 */
public final class ApiKeys {

    /** A key and its secret, which is never to be had again. */
    public record NewKey(ApiKey key, Secret secret) {}

    private static final String TABLE = "apikey";
    private static final String PARTITION = "keys";
    private static final String PREFIX = "am_";
    private static final int HINT_LENGTH = 7;
    private static final Duration NOTED_EVERY = Duration.ofHours(1);

    private final TableStore tables;
    private final IdSource ids;
    private final Time time;

    ApiKeys(TableStore tables, IdSource ids, Time time) {
        this.tables = tables;
        this.ids = ids;
        this.time = time;
        tables.createTable(TABLE);
    }

    /** Makes a key. */
    public NewKey make(String label, ApiKey.Scope scope, Set<ListName> lists, String by) {
        Secret secret = new Secret(PREFIX + Secret.next(ids).text());
        ApiKey key = key(secret, label, scope, lists, by);
        tables.write(TABLE, PARTITION, Write.insert(key.id(), key.values()));
        return new NewKey(key, secret);
    }

    /** Makes an admin key of a given secret, unless there is an admin key already. */
    void makeFirst(Secret secret) {
        if (all().stream().noneMatch(key -> key.scope() == ApiKey.Scope.ADMIN)) {
            ApiKey key = key(secret, "Made at set-up", ApiKey.Scope.ADMIN, Set.of(), "set-up");
            tables.write(TABLE, PARTITION, Write.insert(key.id(), key.values()));
        }
    }

    /** The key that a secret belongs to; notes its use, to the hour. */
    public Optional<ApiKey> use(Secret secret) {
        Optional<Row> row = tables.get(TABLE, PARTITION, secret.hash());
        row.ifPresent(this::note);
        return row.map(ApiKey::of);
    }

    /** All keys, newest first. */
    public List<ApiKey> all() {
        return Rows.all(tables, TABLE, KeyRange.partition(PARTITION)).stream()
                .map(ApiKey::of)
                .sorted(Comparator.comparing(ApiKey::createdAt).reversed())
                .toList();
    }

    /** The key with this id. */
    public Optional<ApiKey> find(String id) {
        return all().stream().filter(key -> key.id().equals(id)).findFirst();
    }

    /** Ends a key: the next call with it is refused. */
    public void revoke(String id) {
        find(id).ifPresent(key -> tables.write(TABLE, PARTITION, Write.delete(key.id())));
    }

    private ApiKey key(Secret secret, String label, ApiKey.Scope scope, Set<ListName> lists, String by) {
        String hint = secret.text().substring(0, HINT_LENGTH);
        return new ApiKey(secret.hash(), label, hint, scope, lists, time.instant(), by, null);
    }

    /** Whether this write happens does not matter: another call may have been first. */
    private void note(Row row) {
        Instant now = time.instant();
        Instant noted = row.values().instant("LastUsedAt");
        if (noted == null || noted.plus(NOTED_EVERY).isBefore(now)) {
            tables.write(TABLE, PARTITION, Write.replace(row, row.values().with("LastUsedAt", now)));
        }
    }
}
