/** Blocks: parts of pages that search an index and show what they find. */
@NullMarked
package org.azuremail.web.block;

import org.jspecify.annotations.NullMarked;
