/** The transports of an installation, from the settings or added by an admin, with their secrets and their history. */
@NullMarked
package org.azuremail.sending;

import org.jspecify.annotations.NullMarked;
