/** Watchers, and the processes that take them. */
@NullMarked
package org.azuremail.web.watcher;

import org.jspecify.annotations.NullMarked;
