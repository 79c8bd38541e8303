/** The pages of suppressed addresses. */
@NullMarked
package org.azuremail.web.suppression;

import org.jspecify.annotations.NullMarked;
