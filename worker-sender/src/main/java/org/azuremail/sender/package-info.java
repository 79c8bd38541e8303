/** Worker B: claims ranges, hands mail over, records every outcome; sends confirmations. */
@NullMarked
package org.azuremail.sender;

import org.jspecify.annotations.NullMarked;
