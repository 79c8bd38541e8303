/** The ways onto a list: subscribing, confirming, coming back. */
@NullMarked
package org.azuremail.subscription.join;

import org.jspecify.annotations.NullMarked;
