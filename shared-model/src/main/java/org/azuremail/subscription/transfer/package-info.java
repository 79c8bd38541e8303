/** Many people at once: CSV files in and out. Where a row is refused, and why. */
@NullMarked
package org.azuremail.subscription.transfer;

import org.jspecify.annotations.NullMarked;
