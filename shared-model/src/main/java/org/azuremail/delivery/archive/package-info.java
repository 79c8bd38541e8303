/** The archive of outcomes, the progress that follows from it, and the recounts when an outcome becomes known late. */
@NullMarked
package org.azuremail.delivery.archive;

import org.jspecify.annotations.NullMarked;
