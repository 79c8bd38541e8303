package org.azuremail.web.account;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A link in a log or an email that works once.
 *
 * @param email the address of the account that the link creates or opens; {@code null} in the first run, where it is
 *     typed
 * @param stamp the stamp of the existing account when the link was created; a changed stamp ends the link. {@code null}
 *     for links without an account, and for links of an older version
 * @param worksUntil the time of expiry; {@link Instant#MAX} if the link ends only when used
 */
public record OneTimeLink(
        Kind kind, @Nullable EmailAddress email, @Nullable String stamp, String createdBy, Instant worksUntil) {

    public enum Kind {
        /** Creates the first account. */
        SETUP,
        /** Creates a further account. */
        INVITATION,
        /** Gives an account a new password. */
        RESET
    }

    static final String PREFIX = "link:";
    static final String SETUP_ROW = "setup";

    static String rowKey(Secret secret) {
        return PREFIX + secret.hash();
    }

    /** Returns the admin who created the link; empty for that of the first run. */
    Optional<EmailAddress> creator() {
        return EmailAddress.parse(createdBy);
    }

    /** Returns whether this account created the link or is the account to which it leads. */
    boolean isOf(EmailAddress account) {
        return (email != null && email.folded().equals(account.folded()))
                || creator()
                        .filter(admin -> admin.folded().equals(account.folded()))
                        .isPresent();
    }

    /**
     * Returns whether the link is still valid for this account: since the link was created, the account has got no new
     * password and has not been signed out everywhere.
     */
    boolean isValidFor(Account account) {
        return stamp == null || stamp.equals(account.stamp());
    }

    boolean worksAt(Instant now) {
        return now.isBefore(worksUntil);
    }

    Values values(Secret secret) {
        return Values.builder()
                .put("Kind", kind.name())
                .put("Hash", secret.hash())
                .put("Email", email == null ? null : email.value())
                .put("Stamp", stamp)
                .put("CreatedBy", createdBy)
                .put("WorksUntil", worksUntil.equals(Instant.MAX) ? null : worksUntil)
                .build();
    }

    static boolean belongsTo(Row row, Secret secret) {
        return row.values().string("Hash", "").equals(secret.hash());
    }

    static OneTimeLink of(Row row) {
        Values values = row.values();
        String email = values.string("Email");
        Instant until = values.instant("WorksUntil");
        return new OneTimeLink(
                Kind.valueOf(values.requireString("Kind")),
                email == null ? null : new EmailAddress(email),
                values.string("Stamp"),
                values.string("CreatedBy", ""),
                until == null ? Instant.MAX : until);
    }
}
