/** Opens the transports that the settings name; each kind is in a separate package and provides a bean. */
@NullMarked
package org.azuremail.transport;

import org.jspecify.annotations.NullMarked;
