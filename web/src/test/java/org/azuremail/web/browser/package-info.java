/** Tests of the running service in a real browser. */
@NullMarked
package org.azuremail.web.browser;

import org.jspecify.annotations.NullMarked;
