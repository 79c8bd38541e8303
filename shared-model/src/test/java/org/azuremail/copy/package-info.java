/** Copies of storages, and what ends them early. */
@NullMarked
package org.azuremail.copy;

import org.jspecify.annotations.NullMarked;
