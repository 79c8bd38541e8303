package org.azuremail.copy;

import java.util.Optional;
import java.util.Set;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;

/**
 * Selects the parts of a row that mean anything in another storage. Processes stay behind, and so does what speaks of the copy
 * itself; who held a lease holds none there; failures are counted by the queue's own ids of items, which are others there.
 */
final class Selection {

    private static final Set<String> LEFT_BEHIND = Set.of(CopyState.PARTITION, "instance");
    private static final String FAILURES = "tries.";
    private static final String LEASES = "lease";

    private Selection() {}

    /** The values to be copied; empty when the row is left behind. */
    static Optional<Values> of(String table, Row row) {
        String partition = row.key().partition();
        if (!table.equals(CopyState.TABLE)) {
            return Optional.of(row.values());
        }
        if (LEFT_BEHIND.contains(partition) || partition.startsWith(FAILURES)) {
            return Optional.empty();
        }
        return Optional.of(
                partition.equals(LEASES) ? row.values().with("Owner", null).with("EndsAt", null) : row.values());
    }
}
