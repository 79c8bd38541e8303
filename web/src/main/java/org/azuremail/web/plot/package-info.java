/** Plots: shapes that the fragments of {@code parts.html} draw as SVG, without script. */
@NullMarked
package org.azuremail.web.plot;

import org.jspecify.annotations.NullMarked;
