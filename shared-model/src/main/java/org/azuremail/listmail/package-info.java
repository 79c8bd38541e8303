/** The mails that a list sends: its messages, and the confirmation that makes somebody a subscriber. */
@NullMarked
package org.azuremail.listmail;

import org.jspecify.annotations.NullMarked;
