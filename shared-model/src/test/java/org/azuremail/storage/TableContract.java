package org.azuremail.storage;

/** The table store under test in the parts of the table contract. */
interface TableContract {

    /** Returns the store under test, the same one throughout a test. */
    TableStore tables();

    /** Creates a new table. */
    default String newTable() {
        String table = FreshNames.next();
        tables().createTable(table);
        return table;
    }

    default String written(WriteResult result) {
        if (result instanceof WriteResult.Written written) {
            return written.etag();
        }
        throw new AssertionError("was not written: " + result);
    }

    default Values n(long number) {
        return Values.of("N", number);
    }
}
