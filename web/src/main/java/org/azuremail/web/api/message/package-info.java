/** Calls about messages: writing, sending, and the outcomes of their recipients. */
@NullMarked
package org.azuremail.web.api.message;

import org.jspecify.annotations.NullMarked;
