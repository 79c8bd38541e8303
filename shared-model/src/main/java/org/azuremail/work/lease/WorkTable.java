package org.azuremail.work.lease;

import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;

/** The table of the runtime's own rows: leases, failures. Counters and rates of other packages are there as well. */
public final class WorkTable {

    public static final String NAME = "work";

    private WorkTable() {}

    public static Table of(Storage storage) {
        return new Table(storage.tables(), NAME);
    }
}
