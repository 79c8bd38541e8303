/** Tests of copies of storages, including interrupted ones. */
@NullMarked
package org.azuremail.copy;

import org.jspecify.annotations.NullMarked;
