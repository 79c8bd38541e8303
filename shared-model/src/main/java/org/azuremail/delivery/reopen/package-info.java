/** A message that goes on after its end: sent again, decided by a person, or found in a restored backup. */
@NullMarked
package org.azuremail.delivery.reopen;

import org.jspecify.annotations.NullMarked;
