/** Jobs about the people of a list or a segment: their statistics, and a file of all of them. */
@NullMarked
package org.azuremail.report;

import org.jspecify.annotations.NullMarked;
