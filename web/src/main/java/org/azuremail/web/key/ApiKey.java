package org.azuremail.web.key;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.AuthenticatedPrincipal;

/**
 * A program's permission to call the REST API.
 *
 * @param id the hash of the key's secret, which names the key on pages and gives no access
 * @param hint the first characters of the secret, by which the owner recognises the key
 * @param lists the lists to which the key may subscribe people; an admin key may use all lists
 * @param createdBy the address of the admin who created the key, or {@code set-up}
 * @param owner the admin who answers for the key; at first the one who created it
 * @param expiresAt the end of the key; {@code null} when only revoking ends it, as for all keys of older versions
 * @param requestsPerSecond the quota of a subscribe key; 0 for the default of the settings
 * @param lastUsedAt the last use, to the hour; {@code null} for a key that was never used
 */
public record ApiKey(
        String id,
        String label,
        String hint,
        Scope scope,
        Set<ListName> lists,
        Instant createdAt,
        String createdBy,
        String owner,
        @Nullable Instant expiresAt,
        int requestsPerSecond,
        @Nullable Instant lastUsedAt)
        implements AuthenticatedPrincipal {

    public enum Scope {
        /** Allows everything that the pages can do with lists and messages. */
        ADMIN,
        /** Allows subscribing people to certain lists. */
        SUBSCRIBE,
        /** Allows reading the counts for monitoring, and nothing else. */
        METRICS
    }

    /**
     * The properties that the creator of a key chooses.
     *
     * @param label the purpose of the key, in words
     * @param lists the lists of a subscribe key; other keys have none
     * @param expiresAt the end of the key; {@code null} for a key that only revoking ends
     * @param requestsPerSecond the quota of a subscribe key; 0 for the default of the settings
     */
    public record Terms(
            String label,
            Scope scope,
            Set<ListName> lists,
            @Nullable Instant expiresAt,
            int requestsPerSecond) {

        public static final int MAX_REQUESTS_PER_SECOND = 100_000;

        public Terms {
            lists = Set.copyOf(lists);
            if (requestsPerSecond < 0 || requestsPerSecond > MAX_REQUESTS_PER_SECOND) {
                throw new IllegalArgumentException("requests a second: 0 to " + MAX_REQUESTS_PER_SECOND);
            }
        }

        public static Terms of(String label, Scope scope, Set<ListName> lists) {
            return new Terms(label, scope, lists, null, 0);
        }
    }

    /** The column that marks {@link Scope#METRICS}. A version that does not know this scope lets the key do nothing. */
    private static final String METRICS_ONLY = "MetricsOnly";

    public ApiKey {
        lists = Set.copyOf(lists);
    }

    static ApiKey create(Terms terms, String id, String hint, Instant now, String by) {
        return new ApiKey(
                id,
                terms.label(),
                hint,
                terms.scope(),
                terms.lists(),
                now,
                by,
                by,
                terms.expiresAt(),
                terms.requestsPerSecond(),
                null);
    }

    /** Returns the name of the caller in request events and metrics. */
    @Override
    public String getName() {
        return label;
    }

    /** Returns the signature of changes that are made with this key. */
    public String author() {
        return "API key " + label;
    }

    public boolean maySubscribeTo(ListName list) {
        return scope == Scope.ADMIN || (scope == Scope.SUBSCRIBE && lists.contains(list));
    }

    public boolean expiredAt(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    public Set<ListName> sortedLists() {
        return new TreeSet<>(lists);
    }

    /** Returns the admin who answers for the key; empty for a key of the set-up. */
    Optional<EmailAddress> responsibleAdmin() {
        return EmailAddress.parse(owner);
    }

    boolean isOwnedBy(EmailAddress admin) {
        return responsibleAdmin()
                .filter(address -> address.folded().equals(admin.folded()))
                .isPresent();
    }

    ApiKey withOwner(String newOwner) {
        return new ApiKey(
                id,
                label,
                hint,
                scope,
                lists,
                createdAt,
                createdBy,
                newOwner,
                expiresAt,
                requestsPerSecond,
                lastUsedAt);
    }

    Values values() {
        return Values.builder()
                .put("Label", label)
                .put("Hint", hint)
                .put("Scope", (scope == Scope.METRICS ? Scope.SUBSCRIBE : scope).name())
                .put(METRICS_ONLY, scope == Scope.METRICS ? true : null)
                .put("Lists", lists.stream().map(ListName::value).sorted().collect(Collectors.joining(",")))
                .put("CreatedAt", createdAt)
                .put("CreatedBy", createdBy)
                .put("Owner", owner)
                .put("ExpiresAt", expiresAt)
                .put("RequestsPerSecond", requestsPerSecond)
                .put("LastUsedAt", lastUsedAt)
                .build();
    }

    static ApiKey of(Row row) {
        Values values = row.values();
        String createdBy = values.string("CreatedBy", "");
        return new ApiKey(
                row.rowKey(),
                values.string("Label", ""),
                values.string("Hint", ""),
                values.bool(METRICS_ONLY, false) ? Scope.METRICS : Scope.valueOf(values.requireString("Scope")),
                Arrays.stream(values.string("Lists", "").split(","))
                        .filter(name -> !name.isBlank())
                        .map(ListName::new)
                        .collect(Collectors.toSet()),
                values.requireInstant("CreatedAt"),
                createdBy,
                values.string("Owner", createdBy),
                values.instant("ExpiresAt"),
                values.integer("RequestsPerSecond", 0),
                values.instant("LastUsedAt"));
    }
}
