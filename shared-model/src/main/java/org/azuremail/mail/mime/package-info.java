/** Writes emails as MIME text (RFC 5322, 2045 and 2047), merged for each recipient. */
@NullMarked
package org.azuremail.mail.mime;

import org.jspecify.annotations.NullMarked;
