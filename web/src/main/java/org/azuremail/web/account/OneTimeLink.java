package org.azuremail.web.account;

import java.time.Instant;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A link in a log or an email, which works once.
 *
 * @param email of the account that it creates or opens; missing on the first run, where people type it
 * @param stamp of the account to which the link gives a new password, when the link was created: once that changes, the link is over.
 *     {@code null} for other links, and for those of an older version
 * @param worksUntil {@link Instant#MAX} when only using it ends it
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

    /** Returns whether this account created the link, or the link leads to it. */
    boolean isOf(EmailAddress account) {
        return (email != null && email.folded().equals(account.folded()))
                || EmailAddress.parse(createdBy)
                        .filter(maker -> maker.folded().equals(account.folded()))
                        .isPresent();
    }

    /** Returns whether this account has had no new password, and was not signed out everywhere, since the link was created. */
    boolean fits(Account account) {
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
