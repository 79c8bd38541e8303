/** The pages of a list's fields: their types, which are searchable, and the progress of the index. */
@NullMarked
package org.azuremail.web.field;

import org.jspecify.annotations.NullMarked;
