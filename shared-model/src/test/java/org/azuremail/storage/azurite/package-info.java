/** Azurite for tests: installed when it is absent, one for each JVM, gone with it. */
@NullMarked
package org.azuremail.storage.azurite;

import org.jspecify.annotations.NullMarked;
