/** Puts the worker runtime of a process together: the work that it runs, by its settings, switches and signals. */
@NullMarked
package org.azuremail.work;

import org.jspecify.annotations.NullMarked;
