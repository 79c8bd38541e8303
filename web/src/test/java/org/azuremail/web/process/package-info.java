/** Tests of the packaged service as operators run it, as processes and over HTTP. */
@NullMarked
package org.azuremail.web.process;

import org.jspecify.annotations.NullMarked;
