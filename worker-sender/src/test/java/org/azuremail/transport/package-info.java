/** The contract of every transport, as tests, and local peers to run it on. */
@NullMarked
package org.azuremail.transport;

import org.jspecify.annotations.NullMarked;
