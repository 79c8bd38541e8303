/** Opens the transports that the settings name; each kind is in a package of its own and brings a bean. */
@NullMarked
package org.azuremail.transport;

import org.jspecify.annotations.NullMarked;
