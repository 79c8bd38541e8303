package org.azuremail.work;

import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;

/** Where the runtime keeps its own rows: leases, failures. Counters and rates of other packages stand there as well. */
final class WorkTable {

    static final String NAME = "work";

    private WorkTable() {}

    static Table of(Storage storage) {
        return new Table(storage.tables(), NAME);
    }
}
