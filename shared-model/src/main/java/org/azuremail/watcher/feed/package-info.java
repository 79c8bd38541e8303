/** Watchers that turn the entries of feeds into messages: one for each entry, or one for a digest of several. */
@NullMarked
package org.azuremail.watcher.feed;

import org.jspecify.annotations.NullMarked;
