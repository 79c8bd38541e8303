/** The pages of messages: written, scheduled, watched, archived. */
@NullMarked
package org.azuremail.web.message;

import org.jspecify.annotations.NullMarked;
