/** The pages of message templates. */
@NullMarked
package org.azuremail.web.gallery;

import org.jspecify.annotations.NullMarked;
