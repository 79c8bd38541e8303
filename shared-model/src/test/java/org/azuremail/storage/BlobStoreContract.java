package org.azuremail.storage;

/** The whole contract of a blob store, which the test of each back end implements. */
public interface BlobStoreContract extends BlobWriteContract, BlobStreamContract, BlobListContract {}
