/** Requests the links and images of a message while its author waits, and says which of them do not work. */
@NullMarked
package org.azuremail.linkcheck;

import org.jspecify.annotations.NullMarked;
