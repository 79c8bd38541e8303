package org.azuremail.storage;

/** The whole contract of a table store, which the test of each back end implements. */
public interface TableStoreContract
        extends TableWriteContract,
                BatchRoomContract,
                TableQueryContract,
                TablePagingContract,
                TableValueContract,
                TableLimitContract,
                TableRaceContract {}
