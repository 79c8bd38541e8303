package org.azuremail.storage;

/** Everything that a table store promises; a back end's test implements this. */
public interface TableStoreContract
        extends TableWriteContract,
                TableQueryContract,
                TablePagingContract,
                TableValueContract,
                TableLimitContract,
                TableRaceContract {}
