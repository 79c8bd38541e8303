/** Blocks: parts of pages that search an index and show the result. */
@NullMarked
package org.azuremail.web.block;

import org.jspecify.annotations.NullMarked;
