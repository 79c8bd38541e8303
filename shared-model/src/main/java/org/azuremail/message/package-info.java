/** Messages to a list: written, scheduled, counted, archived. */
@NullMarked
package org.azuremail.message;

import org.jspecify.annotations.NullMarked;
