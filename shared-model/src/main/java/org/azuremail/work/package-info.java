/** Puts the worker runtime of a process together from its services, settings, switches and signals. */
@NullMarked
package org.azuremail.work;

import org.jspecify.annotations.NullMarked;
