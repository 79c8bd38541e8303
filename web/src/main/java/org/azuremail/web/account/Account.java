package org.azuremail.web.account;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.attention.Admins;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A person who can sign in and has access to everything.
 *
 * @param stamp a value that changes whenever all sessions of the account must end
 * @param removing whether the removal has begun: the person can no longer sign in, and the account's data is being
 *     removed
 * @param alerts whether this person gets an email when something needs an admin
 */
public record Account(
        EmailAddress email,
        String passwordHash,
        String stamp,
        Instant createdAt,
        String createdBy,
        @Nullable Instant lastSignInAt,
        boolean removing,
        boolean alerts) {

    private static final String NO_PASSWORD = "";

    /** Returns the admin who invited this one; empty for the first account. */
    public Optional<EmailAddress> creator() {
        return EmailAddress.parse(createdBy);
    }

    Account withPassword(String hash, String newStamp) {
        return new Account(email, hash, newStamp, createdAt, createdBy, lastSignInAt, removing, alerts);
    }

    Account withStamp(String newStamp) {
        return new Account(email, passwordHash, newStamp, createdAt, createdBy, lastSignInAt, removing, alerts);
    }

    Account withAlerts(boolean wanted) {
        return new Account(email, passwordHash, stamp, createdAt, createdBy, lastSignInAt, removing, wanted);
    }

    Account signedInAt(Instant now) {
        return new Account(email, passwordHash, stamp, createdAt, createdBy, now, removing, alerts);
    }

    /**
     * Returns a copy that is being removed. It has no password, so that processes of the previous version refuse the
     * sign-in, too.
     */
    Account beingRemoved(String newStamp) {
        return new Account(email, NO_PASSWORD, newStamp, createdAt, createdBy, lastSignInAt, true, alerts);
    }

    Values values() {
        return Values.builder()
                .put(Admins.EMAIL, email.value())
                .put("PasswordHash", passwordHash)
                .put("Stamp", stamp)
                .put("CreatedAt", createdAt)
                .put("CreatedBy", createdBy)
                .put("LastSignInAt", lastSignInAt)
                .put(Admins.REMOVING, removing ? true : null)
                .put(Admins.NO_ALERTS, alerts ? null : true)
                .build();
    }

    static Account of(Row row) {
        Values values = row.values();
        return new Account(
                new EmailAddress(values.requireString(Admins.EMAIL)),
                values.requireString("PasswordHash"),
                values.requireString("Stamp"),
                values.requireInstant("CreatedAt"),
                values.string("CreatedBy", ""),
                values.instant("LastSignInAt"),
                values.bool(Admins.REMOVING, false),
                !values.bool(Admins.NO_ALERTS, false));
    }

    @Override
    public String toString() {
        return "Account[" + email + "]";
    }
}
