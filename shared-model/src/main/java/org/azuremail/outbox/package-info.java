/** The outbox: emails that are stored here, as they would have been sent, for people to read. */
@NullMarked
package org.azuremail.outbox;

import org.jspecify.annotations.NullMarked;
