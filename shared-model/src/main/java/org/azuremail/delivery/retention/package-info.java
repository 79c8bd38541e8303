/** Removes the outcomes of single recipients once the time for which they are kept has passed. */
@NullMarked
package org.azuremail.delivery.retention;

import org.jspecify.annotations.NullMarked;
