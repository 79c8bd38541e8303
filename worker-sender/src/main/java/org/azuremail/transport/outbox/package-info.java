/** Mail that is kept in the outbox instead of leaving. */
@NullMarked
package org.azuremail.transport.outbox;

import org.jspecify.annotations.NullMarked;
