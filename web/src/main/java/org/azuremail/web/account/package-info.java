/** The people who may use the pages: accounts, signing in and out, sessions, one-time links, the first run. */
@NullMarked
package org.azuremail.web.account;

import org.jspecify.annotations.NullMarked;
