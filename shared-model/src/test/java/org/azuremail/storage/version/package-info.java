/** Upgrades that break off, and programs that meet a newer storage. */
@NullMarked
package org.azuremail.storage.version;

import org.jspecify.annotations.NullMarked;
