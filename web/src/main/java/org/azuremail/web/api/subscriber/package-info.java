/** Calls about people: subscribing, changing, importing, and suppressed addresses. */
@NullMarked
package org.azuremail.web.api.subscriber;

import org.jspecify.annotations.NullMarked;
