/** The pages of the outbox. */
@NullMarked
package org.azuremail.web.outbox;

import org.jspecify.annotations.NullMarked;
