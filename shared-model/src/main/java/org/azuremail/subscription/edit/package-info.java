/** What an admin changes about a person: profile, state, address, list. */
@NullMarked
package org.azuremail.subscription.edit;

import org.jspecify.annotations.NullMarked;
