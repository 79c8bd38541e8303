/** Rate limits that hold over all processes. */
@NullMarked
package org.azuremail.limit;

import org.jspecify.annotations.NullMarked;
