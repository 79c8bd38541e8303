/**
 * The pages behind the links in emails: confirming, unsubscribing and preferences. They need no account and no script.
 */
@NullMarked
package org.azuremail.web.membership;

import org.jspecify.annotations.NullMarked;
