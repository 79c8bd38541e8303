/**
 * The rows of a message that is being sent: control rows of shards and ranges, email rows, outcomes, and the store of
 * all these rows.
 */
@NullMarked
package org.azuremail.delivery.range;

import org.jspecify.annotations.NullMarked;
