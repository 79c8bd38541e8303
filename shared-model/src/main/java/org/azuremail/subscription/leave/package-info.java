/** The ways off a list: leaving, or being erased. */
@NullMarked
package org.azuremail.subscription.leave;

import org.jspecify.annotations.NullMarked;
