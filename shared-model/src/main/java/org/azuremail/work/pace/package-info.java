/** Decides how often idle queues are looked at. */
@NullMarked
package org.azuremail.work.pace;

import org.jspecify.annotations.NullMarked;
