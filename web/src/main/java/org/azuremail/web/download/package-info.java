/** Files that pages and calls answer with. */
@NullMarked
package org.azuremail.web.download;

import org.jspecify.annotations.NullMarked;
