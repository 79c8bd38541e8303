/**
 * The rows of a message that goes out: the control rows of shards and ranges, the email rows of recipients and their outcomes,
 * the one store that reads and writes them, and the take-over of a shard.
 */
@NullMarked
package org.azuremail.delivery.range;

import org.jspecify.annotations.NullMarked;
