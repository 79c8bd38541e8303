package org.azuremail.storage;

/** Everything that a blob store promises; a back end's test implements this. */
public interface BlobStoreContract extends BlobWriteContract, BlobStreamContract, BlobListContract {}
