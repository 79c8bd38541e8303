package org.azuremail.storage;

/** The whole contract of a queue store, which the test of each back end implements. */
public interface QueueStoreContract extends QueueDeliveryContract, QueueReceiptContract, QueueLimitContract {}
