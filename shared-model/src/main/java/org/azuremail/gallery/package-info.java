/** Message templates in MJML: those that ship, and those of an organisation or a list. */
@NullMarked
package org.azuremail.gallery;

import org.jspecify.annotations.NullMarked;
