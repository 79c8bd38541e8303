/**
 * Three small ports with Azure Storage's own semantics: tables, queues and blobs. Everything above them — keys,
 * sharding, batching, idempotency — is written once and runs on every back end.
 */
@NullMarked
package org.azuremail.storage;

import org.jspecify.annotations.NullMarked;
