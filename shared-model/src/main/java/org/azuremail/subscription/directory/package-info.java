/** The directory of people over all lists: which addresses are on which lists. */
@NullMarked
package org.azuremail.subscription.directory;

import org.jspecify.annotations.NullMarked;
