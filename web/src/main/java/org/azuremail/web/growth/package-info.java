/** Plots of how lists grow. */
@NullMarked
package org.azuremail.web.growth;

import org.jspecify.annotations.NullMarked;
