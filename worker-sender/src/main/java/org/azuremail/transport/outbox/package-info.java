/** The transport that stores emails in the outbox. */
@NullMarked
package org.azuremail.transport.outbox;

import org.jspecify.annotations.NullMarked;
