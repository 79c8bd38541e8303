/** The pages on which admins see, change and revert the templates of a list. */
@NullMarked
package org.azuremail.web.template;

import org.jspecify.annotations.NullMarked;
