/** The archive of outcomes, the progress of a message, and recounts after an outcome becomes known late. */
@NullMarked
package org.azuremail.delivery.archive;

import org.jspecify.annotations.NullMarked;
