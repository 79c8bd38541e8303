/** Blocks: parts of pages that search an index and show the results. */
@NullMarked
package org.azuremail.web.block;

import org.jspecify.annotations.NullMarked;
