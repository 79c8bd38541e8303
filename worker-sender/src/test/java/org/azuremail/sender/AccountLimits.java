package org.azuremail.sender;

/**
 * The most that a storage account does in a second.
 *
 * @param partition entities of one partition of a table, including scanned ones
 * @param queue messages of one queue
 * @param account entities of all tables, and as many requests in all
 */
record AccountLimits(int partition, int queue, int account) {

    /** The limits in the current documentation of Azure Storage. */
    static final AccountLimits TODAY = new AccountLimits(2_000, 2_000, 20_000);

    /** The limits that source 003 gives for 2012. */
    static final AccountLimits OF_2012 = new AccountLimits(500, 500, 5_000);
}
