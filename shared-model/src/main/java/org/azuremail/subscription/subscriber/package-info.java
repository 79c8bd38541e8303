/** A person on a list: address, state, profile and consent, and the transitions between states. */
@NullMarked
package org.azuremail.subscription.subscriber;

import org.jspecify.annotations.NullMarked;
