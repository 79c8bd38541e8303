/** Watchers that turn the entries of a feed into messages: exactly one message for each entry, or for each digest of entries. */
@NullMarked
package org.azuremail.watcher.feed;

import org.jspecify.annotations.NullMarked;
