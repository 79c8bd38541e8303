/** Files as the answers of pages and API calls. */
@NullMarked
package org.azuremail.web.download;

import org.jspecify.annotations.NullMarked;
