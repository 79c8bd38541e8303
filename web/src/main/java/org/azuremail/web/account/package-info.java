/** The accounts of admins: signing in and out, sessions, one-time links, the first account. */
@NullMarked
package org.azuremail.web.account;

import org.jspecify.annotations.NullMarked;
