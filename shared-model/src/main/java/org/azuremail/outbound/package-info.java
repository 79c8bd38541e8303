/** HTTP requests to addresses that people typed, which must not reach into the network of the installation. */
@NullMarked
package org.azuremail.outbound;

import org.jspecify.annotations.NullMarked;
