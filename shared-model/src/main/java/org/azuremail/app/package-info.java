/** The parts that every process shares: its settings, its roles, its files, and the wiring of the features. */
@NullMarked
package org.azuremail.app;

import org.jspecify.annotations.NullMarked;
