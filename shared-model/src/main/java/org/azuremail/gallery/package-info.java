/** Message templates in MJML: the product's own, and those of an organisation or a list. */
@NullMarked
package org.azuremail.gallery;

import org.jspecify.annotations.NullMarked;
