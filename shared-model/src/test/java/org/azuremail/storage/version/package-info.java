/** Tests of interrupted upgrades, and of programs on a newer storage. */
@NullMarked
package org.azuremail.storage.version;

import org.jspecify.annotations.NullMarked;
