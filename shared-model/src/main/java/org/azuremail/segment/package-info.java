/** Segments: parts of a list by rules on its subscribers. */
@NullMarked
package org.azuremail.segment;

import org.jspecify.annotations.NullMarked;
