/** Mailing lists: name, sender, look, limits, and the way to subscribe. */
@NullMarked
package org.azuremail.list;

import org.jspecify.annotations.NullMarked;
