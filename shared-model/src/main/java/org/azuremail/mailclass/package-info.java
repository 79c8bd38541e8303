/** Mail classes: the urgency of messages, and the queue, places, hours and share of the limits that follow from it. */
@NullMarked
package org.azuremail.mailclass;

import org.jspecify.annotations.NullMarked;
