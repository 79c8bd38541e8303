/** Emails as a transport sees them: shared content, the emails of one lot, and the answer for each. */
@NullMarked
package org.azuremail.mail;

import org.jspecify.annotations.NullMarked;
