/** Deleting a list with everybody on it. */
@NullMarked
package org.azuremail.subscription.removal;

import org.jspecify.annotations.NullMarked;
