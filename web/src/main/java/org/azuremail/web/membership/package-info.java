/** The pages behind the links in mails: confirming and leaving. They need no account, no cookie and no script. */
@NullMarked
package org.azuremail.web.membership;

import org.jspecify.annotations.NullMarked;
