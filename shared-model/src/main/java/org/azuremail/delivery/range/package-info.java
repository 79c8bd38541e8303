/**
 * The rows of a message that goes out: the control rows of shards and ranges, the email rows of recipients and their outcomes,
 * and the one store that reads and writes them.
 */
@NullMarked
package org.azuremail.delivery.range;

import org.jspecify.annotations.NullMarked;
