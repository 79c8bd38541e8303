/** Calls about subscribers: subscribing, changing, importing, exporting, and suppressed addresses. */
@NullMarked
package org.azuremail.web.api.subscriber;

import org.jspecify.annotations.NullMarked;
