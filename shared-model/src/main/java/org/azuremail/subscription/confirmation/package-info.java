/** Confirmation and welcome emails: their queue, the link and its secret, and their limits. */
@NullMarked
package org.azuremail.subscription.confirmation;

import org.jspecify.annotations.NullMarked;
