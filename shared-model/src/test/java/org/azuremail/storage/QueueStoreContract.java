package org.azuremail.storage;

/** Everything that a queue store promises; a back end's test implements this. */
public interface QueueStoreContract extends QueueDeliveryContract, QueueReceiptContract, QueueLimitContract {}
