/** Worker B: claims ranges, hands emails over, records every outcome, and sends confirmations. */
@NullMarked
package org.azuremail.sender;

import org.jspecify.annotations.NullMarked;
