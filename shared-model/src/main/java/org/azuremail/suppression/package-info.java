/** Addresses that nobody may mail, for the whole installation: they bounced, their owners complained, or an admin said so. */
@NullMarked
package org.azuremail.suppression;

import org.jspecify.annotations.NullMarked;
