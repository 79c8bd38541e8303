/** The pages of a list's fields: the types, the searchable fields, and the progress of the index. */
@NullMarked
package org.azuremail.web.field;

import org.jspecify.annotations.NullMarked;
