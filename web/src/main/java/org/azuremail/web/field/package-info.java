/** The pages of a list's fields: their types, what is searchable, and how far the index is. */
@NullMarked
package org.azuremail.web.field;

import org.jspecify.annotations.NullMarked;
