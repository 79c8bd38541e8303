/** The promises of every transport, as tests, and local peers to run them on. */
@NullMarked
package org.azuremail.transport;

import org.jspecify.annotations.NullMarked;
