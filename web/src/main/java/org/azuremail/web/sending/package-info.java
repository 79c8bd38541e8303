/** The pages of <em>Settings › Sending</em>: transports, their order, limits, state and history. */
@NullMarked
package org.azuremail.web.sending;

import org.jspecify.annotations.NullMarked;
