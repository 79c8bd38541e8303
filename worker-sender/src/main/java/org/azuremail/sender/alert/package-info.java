/** Emails admins when something needs a person. */
@NullMarked
package org.azuremail.sender.alert;

import org.jspecify.annotations.NullMarked;
