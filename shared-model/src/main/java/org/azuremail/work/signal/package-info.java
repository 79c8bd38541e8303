/** Signals between processes: small authenticated calls over HTTP that only say that there is work. */
@NullMarked
package org.azuremail.work.signal;

import org.jspecify.annotations.NullMarked;
