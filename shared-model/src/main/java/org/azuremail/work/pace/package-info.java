/** Decides how often idle queues are polled. */
@NullMarked
package org.azuremail.work.pace;

import org.jspecify.annotations.NullMarked;
