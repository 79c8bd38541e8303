/** The pages of mailing lists. */
@NullMarked
package org.azuremail.web.list;

import org.jspecify.annotations.NullMarked;
