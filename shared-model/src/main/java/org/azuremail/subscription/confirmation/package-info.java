/** Confirmation emails: the queue, the link and its secret, and who may send one. */
@NullMarked
package org.azuremail.subscription.confirmation;

import org.jspecify.annotations.NullMarked;
