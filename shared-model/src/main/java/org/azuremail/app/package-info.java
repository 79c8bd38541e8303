/** The parts that every process shares: its settings, its roles, and the wiring of the features. */
@NullMarked
package org.azuremail.app;

import org.jspecify.annotations.NullMarked;
