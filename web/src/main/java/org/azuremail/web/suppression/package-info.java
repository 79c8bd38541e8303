/** Pages of the addresses that nobody may mail. */
@NullMarked
package org.azuremail.web.suppression;

import org.jspecify.annotations.NullMarked;
