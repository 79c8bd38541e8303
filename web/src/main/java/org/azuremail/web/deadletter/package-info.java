/** The pages of work that was given up. */
@NullMarked
package org.azuremail.web.deadletter;

import org.jspecify.annotations.NullMarked;
