/** The rows of subscribers, and the only way to write them: shard by shard, with counts and index rows. */
@NullMarked
package org.azuremail.subscription.store;

import org.jspecify.annotations.NullMarked;
