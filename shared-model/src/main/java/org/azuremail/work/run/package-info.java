/** Runs queue services: chooses the next queue, takes items off it, and settles the result of each. */
@NullMarked
package org.azuremail.work.run;

import org.jspecify.annotations.NullMarked;
