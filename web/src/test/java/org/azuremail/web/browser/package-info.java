/** Walks the running service in a real browser, as people do. */
@NullMarked
package org.azuremail.web.browser;

import org.jspecify.annotations.NullMarked;
