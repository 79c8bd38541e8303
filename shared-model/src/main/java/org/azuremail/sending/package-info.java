/** The transports of an installation: those of the settings and those that an admin added, with their secrets and history. */
@NullMarked
package org.azuremail.sending;

import org.jspecify.annotations.NullMarked;
