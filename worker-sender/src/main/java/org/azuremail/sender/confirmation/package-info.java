/** Mails confirmations: each once, and once more when nobody knows whether it went out. */
@NullMarked
package org.azuremail.sender.confirmation;

import org.jspecify.annotations.NullMarked;
