/** The format of a storage's rows: newer programs upgrade it, older ones refuse it. */
@NullMarked
package org.azuremail.storage.version;

import org.jspecify.annotations.NullMarked;
