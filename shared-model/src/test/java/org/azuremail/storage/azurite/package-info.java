/** Azurite for tests, with one process for each JVM. It is installed if it is missing. */
@NullMarked
package org.azuremail.storage.azurite;

import org.jspecify.annotations.NullMarked;
