/** Pages of the templates of messages. */
@NullMarked
package org.azuremail.web.gallery;

import org.jspecify.annotations.NullMarked;
