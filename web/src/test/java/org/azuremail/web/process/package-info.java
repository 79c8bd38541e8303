/** Runs the whole service and its processes as operators do, and talks to them over HTTP. */
@NullMarked
package org.azuremail.web.process;

import org.jspecify.annotations.NullMarked;
