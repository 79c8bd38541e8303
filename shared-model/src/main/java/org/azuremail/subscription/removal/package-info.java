/** Deletes a list with all its subscribers. */
@NullMarked
package org.azuremail.subscription.removal;

import org.jspecify.annotations.NullMarked;
