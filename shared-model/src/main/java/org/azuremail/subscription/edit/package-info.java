/** An admin's changes to a subscriber: profile, state, address, list. */
@NullMarked
package org.azuremail.subscription.edit;

import org.jspecify.annotations.NullMarked;
