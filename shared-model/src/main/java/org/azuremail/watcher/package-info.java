/**
 * Endless tasks that an admin creates: a manager places each on a process with a free slot, and moves it when that
 * process dies.
 */
@NullMarked
package org.azuremail.watcher;

import org.jspecify.annotations.NullMarked;
