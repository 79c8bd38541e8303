/** The pages of messages: the composer, the list, progress, recipients, sending again. */
@NullMarked
package org.azuremail.web.message;

import org.jspecify.annotations.NullMarked;
