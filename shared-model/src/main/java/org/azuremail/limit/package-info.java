/** Limits how fast things happen, over all instances. */
@NullMarked
package org.azuremail.limit;

import org.jspecify.annotations.NullMarked;
