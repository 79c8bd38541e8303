/** The ways onto a list: signing up, confirming, coming back. */
@NullMarked
package org.azuremail.subscription.join;

import org.jspecify.annotations.NullMarked;
