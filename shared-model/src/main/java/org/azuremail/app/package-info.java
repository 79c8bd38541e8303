/** The parts that every process of the product shares: its settings, its roles and how the parts are put together. */
@NullMarked
package org.azuremail.app;

import org.jspecify.annotations.NullMarked;
