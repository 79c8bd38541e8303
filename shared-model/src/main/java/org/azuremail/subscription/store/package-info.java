/** The rows of subscribers, and the one way to write them: shard by shard, with their counts and index rows. */
@NullMarked
package org.azuremail.subscription.store;

import org.jspecify.annotations.NullMarked;
