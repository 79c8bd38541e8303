/** Segments: rules that say which subscribers of a list are meant, and who they are. */
@NullMarked
package org.azuremail.segment;

import org.jspecify.annotations.NullMarked;
