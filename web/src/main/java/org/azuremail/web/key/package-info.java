/** Keys of programs that call the REST API. */
@NullMarked
package org.azuremail.web.key;

import org.jspecify.annotations.NullMarked;
