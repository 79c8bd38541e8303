/** Emails to single addresses that count nowhere: test emails, and replies that are forwarded. */
@NullMarked
package org.azuremail.delivery.testmail;

import org.jspecify.annotations.NullMarked;
