/** Changes that an admin makes to a person: profile, state, address, list. */
@NullMarked
package org.azuremail.subscription.edit;

import org.jspecify.annotations.NullMarked;
