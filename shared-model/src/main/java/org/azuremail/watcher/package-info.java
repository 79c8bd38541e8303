/**
 * Endless tasks (source 001's observers): an admin creates a watcher, the manager places it on a process with a free slot, and
 * that process takes its turns until somebody stops it. When the process dies, another one takes over.
 */
@NullMarked
package org.azuremail.watcher;

import org.jspecify.annotations.NullMarked;
