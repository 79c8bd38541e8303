/** Moves everything from one storage to another: the embedded one and an Azure Storage account, either way. */
@NullMarked
package org.azuremail.copy;

import org.jspecify.annotations.NullMarked;
