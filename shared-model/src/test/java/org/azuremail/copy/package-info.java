/** Tests of copies of storages, and of the ways in which they end early. */
@NullMarked
package org.azuremail.copy;

import org.jspecify.annotations.NullMarked;
