/** How somebody leaves a list, or is erased. */
@NullMarked
package org.azuremail.subscription.leave;

import org.jspecify.annotations.NullMarked;
