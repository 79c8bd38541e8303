/** The boundaries between the packages, as rules that a test checks. */
@NullMarked
package org.azuremail.architecture;

import org.jspecify.annotations.NullMarked;
