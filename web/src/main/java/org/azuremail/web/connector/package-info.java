/** Makes Tomcat wait for requests without holding a thread and without waking up an idle process. */
@NullMarked
package org.azuremail.web.connector;

import org.jspecify.annotations.NullMarked;
