/** The pages of the outbox: every mail as it would have been sent. */
@NullMarked
package org.azuremail.web.outbox;

import org.jspecify.annotations.NullMarked;
