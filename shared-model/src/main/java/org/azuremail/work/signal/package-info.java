/** Wake-ups between processes: small authenticated calls over HTTP that carry no work, only the word that there is some. */
@NullMarked
package org.azuremail.work.signal;

import org.jspecify.annotations.NullMarked;
