/** Calls about the service itself: transports, queues, events, the outbox, costs, settings and keys. */
@NullMarked
package org.azuremail.web.api.operations;

import org.jspecify.annotations.NullMarked;
