/** Which format the rows of a storage have: a newer program upgrades them, an older one does not touch them. */
@NullMarked
package org.azuremail.storage.version;

import org.jspecify.annotations.NullMarked;
