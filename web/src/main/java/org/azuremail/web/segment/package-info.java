/** The pages of segments. */
@NullMarked
package org.azuremail.web.segment;

import org.jspecify.annotations.NullMarked;
