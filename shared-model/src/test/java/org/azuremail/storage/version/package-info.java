/** Tests of upgrades that are interrupted, and of programs that meet a newer storage. */
@NullMarked
package org.azuremail.storage.version;

import org.jspecify.annotations.NullMarked;
