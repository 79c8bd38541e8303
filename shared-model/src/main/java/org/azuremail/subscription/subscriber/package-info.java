/** A person on a list: address, state, profile and consent, and which state follows on what. */
@NullMarked
package org.azuremail.subscription.subscriber;

import org.jspecify.annotations.NullMarked;
