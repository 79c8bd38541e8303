/** Subjects and bodies: checked once, parsed once, merged for each recipient. */
@NullMarked
package org.azuremail.content;

import org.jspecify.annotations.NullMarked;
