package org.azuremail.web.account;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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
 * The browsers in which admins have signed in before, by account, under the hash of their cookie's secret. Strangers
 * who guess passwords do not slow down the users of known devices. A device is known only while the account has the
 * same stamp: a new password or signing out everywhere ends that. An account has at most 20 devices; another one
 * replaces the least recently used. Safe for use by several threads and processes.
 */
final class KnownDevices {

    static final Duration RETENTION = Duration.ofDays(365);

    private static final String PREFIX = "device.";
    private static final int MAX_DEVICES = 20;

    private final Table table;
    private final IdSource ids;
    private final Time time;

    KnownDevices(Storage storage, IdSource ids, Time time) {
        this.table = new Table(storage.tables(), SignInAttempts.TABLE);
        this.ids = ids;
        this.time = time;
    }

    /**
     * Returns the stamp that the account had at the last sign-in with this device. Always reads the storage, so that
     * the time of an answer does not reveal whether the account exists.
     */
    Optional<String> findStamp(EmailAddress email, Secret device) {
        return table.get(partition(email), device.hash())
                .filter(row -> !over(row, time.instant()))
                .map(row -> row.values().requireString("Stamp"));
    }

    /**
     * Remembers a device under a new secret, so that a secret that an attacker planted before is worthless afterwards.
     */
    Secret remember(Account account, Optional<Secret> before) {
        String partition = partition(account.email());
        before.ifPresent(old -> table.write(partition, Write.delete(old.hash())));
        makeRoom(partition);
        Secret secret = Secret.next(ids);
        Values values = Values.builder()
                .put("Stamp", account.stamp())
                .put("UsedAt", time.instant())
                .build();
        table.write(partition, Write.insert(secret.hash(), values));
        return secret;
    }

    /** Returns whether this row is a device that was not used for a year. */
    boolean isOver(Row row, Instant now) {
        return row.key().partition().startsWith(PREFIX) && over(row, now);
    }

    private void makeRoom(String partition) {
        List<Row> rows = table.stream(KeyRange.partition(partition)).toList();
        rows.stream()
                .sorted(Comparator.comparing(KnownDevices::usedAt))
                .limit(Math.max(0, rows.size() - MAX_DEVICES + 1))
                .forEach(row -> table.write(partition, Write.delete(row)));
    }

    private static boolean over(Row row, Instant now) {
        return usedAt(row).plus(RETENTION).isBefore(now);
    }

    private static Instant usedAt(Row row) {
        return row.values().requireInstant("UsedAt");
    }

    private static String partition(EmailAddress email) {
        return PREFIX + new Secret(email.folded()).hash();
    }
}
