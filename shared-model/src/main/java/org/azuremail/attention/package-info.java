/** Problems that need a person, and the emails to admins about them. */
@NullMarked
package org.azuremail.attention;

import org.jspecify.annotations.NullMarked;
