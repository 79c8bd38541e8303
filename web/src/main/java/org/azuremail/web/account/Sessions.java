package org.azuremail.web.account;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * The sessions of signed-in people, in the table {@code session}. Every web instance knows every session. A session is
 * found by the hash of its secret. It ends when its owner signs out, when it expires, or when its account is removed or
 * gets a new stamp. Safe for use by several threads and processes.
 */
public final class Sessions {

    /** The shortest interval between two writes of the time of last use. */
    private static final Duration TOUCHED_EVERY = Duration.ofMinutes(5);

    /** How long an expired session is remembered, because its owner may return to a form that was left open. */
    private static final Duration EXPIRED_RETENTION = Duration.ofDays(7);

    private static final String TABLE = "session";

    private final Table table;
    private final Accounts accounts;
    private final SessionProperties settings;
    private final IdSource ids;
    private final Time time;

    Sessions(Storage storage, Accounts accounts, SessionProperties settings, IdSource ids, Time time) {
        this.table = new Table(storage.tables(), TABLE);
        this.accounts = accounts;
        this.settings = settings;
        this.ids = ids;
        this.time = time;
    }

    /** Begins a session. Its secret is passed only to the browser's cookie. */
    public Secret begin(Account account) {
        Secret secret = Secret.next(ids);
        Instant now = time.instant();
        Values values = Values.builder()
                .put("Email", account.email().value())
                .put("Stamp", account.stamp())
                .put("BeganAt", now)
                .put("UsedAt", now)
                .build();
        String hash = secret.hash();
        table.write(partition(hash), Write.insert(hash, values));
        return secret;
    }

    /** Returns the account of a session that has not ended, and records that the session was used. */
    public Optional<Account> use(Secret secret) {
        Optional<Row> row = live(secret);
        Optional<Account> account = row.flatMap(this::owner);
        if (account.isPresent()) {
            touch(row.get());
        }
        return account;
    }

    /** Returns whether the session has not ended. This does not count as a use. */
    public boolean isLive(Secret secret) {
        return live(secret).flatMap(this::owner).isPresent();
    }

    private Optional<Row> live(Secret secret) {
        return row(secret).filter(found -> isLive(found, time.instant()));
    }

    /** Returns whether the session is valid or expired at most a few days ago, and its account can still sign in. */
    public boolean known(Secret secret) {
        return row(secret).flatMap(this::owner).isPresent();
    }

    public void end(Secret secret) {
        String hash = secret.hash();
        table.write(partition(hash), Write.delete(hash));
    }

    void sweep() {
        Instant then = time.instant().minus(EXPIRED_RETENTION);
        table.stream(KeyRange.everything())
                .filter(row -> !isLive(row, then))
                .forEach(row -> table.write(row.key().partition(), Write.delete(row)));
    }

    private Optional<Account> owner(Row row) {
        EmailAddress email = new EmailAddress(row.values().requireString("Email"));
        String stamp = row.values().requireString("Stamp");
        return accounts.find(email).filter(account -> account.stamp().equals(stamp));
    }

    private boolean isLive(Row row, Instant now) {
        Instant began = row.values().requireInstant("BeganAt");
        Instant used = row.values().requireInstant("UsedAt");
        return now.isBefore(began.plus(settings.longest())) && now.isBefore(used.plus(settings.idle()));
    }

    /** Records that the session was used. A refused write does no harm: another request of this session was faster. */
    private void touch(Row row) {
        Instant now = time.instant();
        if (row.values().requireInstant("UsedAt").plus(TOUCHED_EVERY).isBefore(now)) {
            table.write(row.key().partition(), Write.replace(row, row.values().with("UsedAt", now)));
        }
    }

    private Optional<Row> row(Secret secret) {
        String hash = secret.hash();
        return table.get(partition(hash), hash);
    }

    private static String partition(String hash) {
        return hash.substring(0, 2);
    }
}
