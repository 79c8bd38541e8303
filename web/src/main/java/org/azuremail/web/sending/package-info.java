/** The page of Settings › Sending: transports, their limits, their state and their history. */
@NullMarked
package org.azuremail.web.sending;

import org.jspecify.annotations.NullMarked;
