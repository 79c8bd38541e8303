/** Which processes of the product are alive: one row each, renewed now and then, with what each says of itself. */
@NullMarked
package org.azuremail.work.instance;

import org.jspecify.annotations.NullMarked;
