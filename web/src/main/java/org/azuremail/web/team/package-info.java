/** Removes the account of an admin, and everything that ends with it. */
@NullMarked
package org.azuremail.web.team;

import org.jspecify.annotations.NullMarked;
