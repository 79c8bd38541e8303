/**
 * The archive of outcomes, the progress that follows from it, and the counts that are corrected when an outcome becomes known
 * late.
 */
@NullMarked
package org.azuremail.delivery.archive;

import org.jspecify.annotations.NullMarked;
