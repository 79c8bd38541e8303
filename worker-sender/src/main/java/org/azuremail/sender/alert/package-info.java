/** Emails admins when something needs attention. */
@NullMarked
package org.azuremail.sender.alert;

import org.jspecify.annotations.NullMarked;
