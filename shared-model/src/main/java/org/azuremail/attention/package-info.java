/** What needs a person, and which admins have been emailed about it. */
@NullMarked
package org.azuremail.attention;

import org.jspecify.annotations.NullMarked;
