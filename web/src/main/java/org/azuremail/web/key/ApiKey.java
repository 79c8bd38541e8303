package org.azuremail.web.key;

import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.list.ListName;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.AuthenticatedPrincipal;

/**
 * A program's permission to call the REST API.
 *
 * @param id the hash of its secret: names the key on pages and opens nothing
 * @param hint the first characters of its secret, so that its owner recognises it
 * @param lists which lists it may subscribe people to; an admin key may use all
 * @param lastUsedAt to the hour; {@code null} when it never was
 */
public record ApiKey(
        String id,
        String label,
        String hint,
        Scope scope,
        Set<ListName> lists,
        Instant createdAt,
        String createdBy,
        @Nullable Instant lastUsedAt)
        implements AuthenticatedPrincipal {

    /** What keys are good for. */
    public enum Scope {
        /** Everything that the pages can do with lists and messages. */
        ADMIN,
        /** Subscribing people to certain lists. */
        SUBSCRIBE
    }

    public ApiKey {
        lists = Set.copyOf(lists);
    }

    /** Who calls, as request events and metrics name them; asked at every call. */
    @Override
    public String getName() {
        return label;
    }

    /** Whether the key may subscribe people to the list. */
    public boolean maySubscribeTo(ListName list) {
        return scope == Scope.ADMIN || lists.contains(list);
    }

    /** The lists in order, for reading. */
    public Set<ListName> sortedLists() {
        return new TreeSet<>(lists);
    }

    Values values() {
        return Values.builder()
                .put("Label", label)
                .put("Hint", hint)
                .put("Scope", scope.name())
                .put("Lists", lists.stream().map(ListName::value).sorted().collect(Collectors.joining(",")))
                .put("CreatedAt", createdAt)
                .put("CreatedBy", createdBy)
                .put("LastUsedAt", lastUsedAt)
                .build();
    }

    static ApiKey of(Row row) {
        Values values = row.values();
        return new ApiKey(
                row.rowKey(),
                values.string("Label", ""),
                values.string("Hint", ""),
                Scope.valueOf(values.requireString("Scope")),
                Arrays.stream(values.string("Lists", "").split(","))
                        .filter(name -> !name.isBlank())
                        .map(ListName::new)
                        .collect(Collectors.toSet()),
                values.requireInstant("CreatedAt"),
                values.string("CreatedBy", ""),
                values.instant("LastUsedAt"));
    }
}
