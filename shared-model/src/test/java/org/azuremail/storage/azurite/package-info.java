/** Azurite for tests: installed when it is absent, and one process for each JVM. */
@NullMarked
package org.azuremail.storage.azurite;

import org.jspecify.annotations.NullMarked;
