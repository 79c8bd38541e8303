package org.azuremail.storage;

/** Everything that a table store promises; a back end's test implements this. */
public interface TableStoreContract
        extends TableWriteContract,
                BatchRoomContract,
                TableQueryContract,
                TablePagingContract,
                TableValueContract,
                TableLimitContract,
                TableRaceContract {}
