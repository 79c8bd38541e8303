/** The pages of watchers and of the processes that run them. */
@NullMarked
package org.azuremail.web.watcher;

import org.jspecify.annotations.NullMarked;
