package org.azuremail.copy;

import java.util.Optional;
import java.util.Set;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;

/**
 * Selects the parts of a row that have a meaning in another storage. Rows of processes and of the copy itself stay behind, and
 * leases have no holder there. Failures stay behind too: they are counted by the ids of queue items, which differ there.
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
