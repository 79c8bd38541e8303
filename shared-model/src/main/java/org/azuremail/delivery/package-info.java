/**
 * How the recipients of a message are written down, claimed and accounted for: e-mail rows, the control rows of shards
 * and ranges, and the archive of outcomes. Fan-out and sending are built on the steps in here.
 */
@NullMarked
package org.azuremail.delivery;

import org.jspecify.annotations.NullMarked;
