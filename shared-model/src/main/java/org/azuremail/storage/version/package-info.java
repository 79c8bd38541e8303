/** The format of a storage's rows: a newer program upgrades them, an older one does not touch them. */
@NullMarked
package org.azuremail.storage.version;

import org.jspecify.annotations.NullMarked;
