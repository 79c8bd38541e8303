/** What ends with an admin's account. */
@NullMarked
package org.azuremail.web.team;

import org.jspecify.annotations.NullMarked;
