/** The page of the mail rate: how many mails a second leave. */
@NullMarked
package org.azuremail.web.rate;

import org.jspecify.annotations.NullMarked;
