/** Taking over the shard of a message that is fanned out. */
@NullMarked
package org.azuremail.delivery.fanout;

import org.jspecify.annotations.NullMarked;
