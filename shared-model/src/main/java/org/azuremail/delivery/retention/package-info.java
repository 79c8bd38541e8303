/** The time for which the outcomes of single recipients are kept. */
@NullMarked
package org.azuremail.delivery.retention;

import org.jspecify.annotations.NullMarked;
