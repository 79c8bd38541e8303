/** Removes the outcomes of single recipients when their time is over. */
@NullMarked
package org.azuremail.delivery.retention;

import org.jspecify.annotations.NullMarked;
