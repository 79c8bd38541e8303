/** Lets this process listen for requests without waking up while there are none. */
@NullMarked
package org.azuremail.web.connector;

import org.jspecify.annotations.NullMarked;
