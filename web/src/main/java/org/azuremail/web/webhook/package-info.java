/** Where providers post what became of emails. */
@NullMarked
package org.azuremail.web.webhook;

import org.jspecify.annotations.NullMarked;
