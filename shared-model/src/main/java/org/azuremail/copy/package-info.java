/** Moves everything from the embedded storage to an Azure Storage account, or back. */
@NullMarked
package org.azuremail.copy;

import org.jspecify.annotations.NullMarked;
