/**
 * The worker runtime put together: what runs in a process, by its settings, switches and signals. Its parts have packages of
 * their own.
 */
@NullMarked
package org.azuremail.work;

import org.jspecify.annotations.NullMarked;
