/** The parts that every process shares: its settings, roles and files, and the wiring of the features. */
@NullMarked
package org.azuremail.app;

import org.jspecify.annotations.NullMarked;
