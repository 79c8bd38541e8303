/** The content of queues: items as text, batches and payloads in blobs, partitions, and dead letters. */
@NullMarked
package org.azuremail.work.queue;

import org.jspecify.annotations.NullMarked;
