/** Creates ids: random tokens, and compact numbers that are unique over all instances. */
@NullMarked
package org.azuremail.id;

import org.jspecify.annotations.NullMarked;
