/** The fields of a list: typed data about its subscribers beside address and name. */
@NullMarked
package org.azuremail.field;

import org.jspecify.annotations.NullMarked;
