/** Messages: their states, content, schedule and storage. */
@NullMarked
package org.azuremail.message;

import org.jspecify.annotations.NullMarked;
